/** Everything that the service tells of. */
export const EVENT_TYPES = [
  'service.node.created',
  'service.node.updated',
  'service.node.deleted',
  'service.group.member_added',
  'service.group.member_removed',
  'service.branch.created',
  'service.branch.deleted',
  'service.branch.merged',
  'service.branch.rebased',
  'service.schema.updated',
  'service.artifact.created',
  'service.artifact.updated',
  'service.repository.update_commit',
  'service.account.logged_in',
  'service.account.logged_out',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

const PREFIX = 'service.';
const KNOWN: ReadonlySet<string> = new Set(EVENT_TYPES);

/** The type with its prefix, which may be left out; undefined when there is none of that name. */
export function eventTypeOf(text: string): EventType | undefined {
  const full = text.startsWith(PREFIX) ? text : `${PREFIX}${text}`;
  return KNOWN.has(full) ? (full as EventType) : undefined;
}
