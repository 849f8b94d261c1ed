import fc from 'fast-check';
import {GLOBAL_ACTIONS, type Need, type ObjectAction} from './access.ts';
import type {Decision, Grants, ObjectGrant} from './grants.ts';

/** The rules as one would explain them, without a thought for speed. */
export function oracle({global, object}: Grants, need: Need): boolean {
  const said = (action: string) =>
    global.filter(grant => grant.action === action).map(grant => grant.decision);
  const may = (action: string) => said(action).length > 0 && !said(action).includes(1);
  if (may('super_admin')) return true;
  if (need.is === 'global') return may(need.action);
  const [, namespace, name] = /^(Infra|Core)(.+)$/.exec(need.kind) ?? [];
  const points = (grant: ObjectGrant) =>
    [grant.namespace !== '*', grant.name !== '*', grant.action !== 'any', grant.decision !== 6].filter(
      Boolean,
    ).length;
  const verdict = (attribute: string): boolean | undefined => {
    const matching = object.filter(
      grant =>
        ['*', namespace].includes(grant.namespace) &&
        ['*', name].includes(grant.name) &&
        ['any', need.action].includes(grant.action) &&
        grant.attribute === attribute,
    );
    if (matching.length === 0) return undefined;
    const highest = Math.max(...matching.map(points));
    const wanted = need.onDefaultBranch ? [2, 6] : [4, 6];
    const best = matching.filter(grant => points(grant) === highest).map(grant => grant.decision as number);
    return best.some(decision => wanted.includes(decision));
  };
  if (verdict('') !== true) return false;
  return need.attribute === undefined || verdict(need.attribute) !== false;
}

const decision = fc.constantFrom<Decision>(1, 2, 4, 6);
const action = fc.constantFrom<ObjectAction>('create', 'delete', 'update', 'view');

export const anyObjectGrant: fc.Arbitrary<ObjectGrant> = fc.record({
  namespace: fc.constantFrom('*', 'Infra', 'Core'),
  name: fc.constantFrom('*', 'Device', 'Site'),
  action: fc.oneof(fc.constant('any' as const), action),
  decision,
  attribute: fc.constantFrom('', '', '', 'name', 'serial'),
});

export const anyGrants: fc.Arbitrary<Grants> = fc.record({
  global: fc.array(fc.record({action: fc.constantFrom(...GLOBAL_ACTIONS), decision}), {maxLength: 4}),
  object: fc.array(anyObjectGrant, {maxLength: 6}),
});

export const anyNeed: fc.Arbitrary<Need> = fc.oneof(
  fc.record({is: fc.constant('global' as const), action: fc.constantFrom(...GLOBAL_ACTIONS)}),
  fc.record(
    {
      is: fc.constant('object' as const),
      action,
      kind: fc.constantFrom('InfraDevice', 'InfraSite', 'CoreDevice'),
      onDefaultBranch: fc.boolean(),
      attribute: fc.constantFrom('name', 'serial', 'height'),
    },
    {requiredKeys: ['is', 'action', 'kind', 'onDefaultBranch']},
  ),
);
