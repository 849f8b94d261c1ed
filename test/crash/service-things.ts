/** The kind that clients write: a group of them is always written together. */
export const KIND = 'CrashThing';
export const GROUP_SIZE = 4;

export function schemaWith(attributes: readonly string[]): object {
  const text = (name: string) => ({name, kind: 'Text', optional: true});
  const node = {
    name: 'Thing',
    namespace: 'Crash',
    attributes: [{name: 'name', kind: 'Text', unique: true}, text('group'), ...attributes.map(text)],
  };
  return {schemas: [{version: '1.0', nodes: [node]}]};
}
