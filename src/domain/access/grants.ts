import type {GlobalAction, ObjectAction} from './access.ts';

/** What a permission says, as bits: where it allows, or that it denies. */
export const DECISION = {deny: 1, allow_default: 2, allow_other: 4, allow_all: 6} as const;

export type Decision = (typeof DECISION)[keyof typeof DECISION];

export interface GlobalGrant {
  readonly action: GlobalAction;
  readonly decision: Decision;
}

export interface ObjectGrant {
  /** A namespace, or `*` for every one. */
  readonly namespace: string;
  /** The name of a kind within its namespace, or `*`. */
  readonly name: string;
  readonly action: ObjectAction | 'any';
  readonly decision: Decision;
  /** The one attribute it is about; empty: the whole object. */
  readonly attribute: string;
}

/** Everything that somebody's roles give and take. */
export interface Grants {
  readonly global: readonly GlobalGrant[];
  readonly object: readonly ObjectGrant[];
}

export const NO_GRANTS: Grants = {global: [], object: []};

const WORDS = new Map<number, string>(Object.entries(DECISION).map(([word, bits]) => [bits, word]));

const wordOf = (decision: Decision): string => WORDS.get(decision) ?? String(decision);

export const globalIdentifier = ({action, decision}: GlobalGrant): string =>
  `global:${action}:${wordOf(decision)}`;

export function objectIdentifier({namespace, name, action, decision, attribute}: ObjectGrant): string {
  const text = `object:${namespace}:${name}:${action}:${wordOf(decision)}`;
  return attribute === '' ? text : `${text}:${attribute}`;
}
