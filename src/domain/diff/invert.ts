import type {NodeChange} from './change.ts';

const OPPOSITE = {added: 'removed', removed: 'added', updated: 'updated'} as const;

/** What leads back from the second state to the first. */
export const inverted = (change: NodeChange): NodeChange => ({
  ...change,
  action: OPPOSITE[change.action],
  attributes: change.attributes.map(({name, before, after}) => ({name, before: after, after: before})),
  edges: change.edges.map(({relationship, peer, before, after}) => ({
    relationship,
    peer,
    before: after,
    after: before,
  })),
});
