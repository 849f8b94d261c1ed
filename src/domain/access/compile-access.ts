import type {Access, GlobalAction, Need, ObjectAction} from './access.ts';
import {FULL_ACCESS} from './access.ts';
import {DECISION, type Grants, type ObjectGrant} from './grants.ts';
import {splitKind} from './split-kind.ts';

type ObjectNeed = Extract<Need, {is: 'object'}>;

/** How much a grant says: the one that says most decides. */
const specificity = ({namespace, name, action, decision}: ObjectGrant): number =>
  Number(namespace !== '*') +
  Number(name !== '*') +
  Number(action !== 'any') +
  Number(decision !== DECISION.allow_all);

/**
 * The decision of the most specific grants, those of equal standing together; zero when none applies.
 * Grants are given most specific first.
 */
function decide(grants: readonly ObjectGrant[]): number {
  let decision = 0;
  const [first] = grants;
  if (first === undefined) return decision;
  const highest = specificity(first);
  for (const grant of grants) {
    if (specificity(grant) < highest) break;
    decision |= grant.decision;
  }
  return decision;
}

const bitOf = (onDefaultBranch: boolean): number =>
  onDefaultBranch ? DECISION.allow_default : DECISION.allow_other;

/**
 * What a set of grants lets one do. Whoever administers the service may do everything. A denied global action
 * stays denied whatever else allows it. Of the grants on objects the most specific decide; what no grant is about
 * is refused. A grant that names an attribute can only narrow what the kind allows.
 */
export function compileAccess({global, object}: Grants): Access {
  const denied = new Set<GlobalAction>();
  const given = new Set<GlobalAction>();
  for (const {action, decision} of global) (decision === DECISION.deny ? denied : given).add(action);
  const may = (action: GlobalAction): boolean => given.has(action) && !denied.has(action);
  if (may('super_admin')) return FULL_ACCESS;

  const ordered = object.toSorted((a, b) => specificity(b) - specificity(a));
  const ofObjects = ordered.filter(({attribute}) => attribute === '');
  const ofAttributes = ordered.filter(({attribute}) => attribute !== '');
  const decisions = new Map<string, number>();

  function decisionOn(kind: string, wanted: ObjectAction): number {
    const key = `${wanted} ${kind}`;
    const known = decisions.get(key);
    if (known !== undefined) return known;
    const decision = decide(ofObjects.filter(grant => concerns(grant, kind, wanted)));
    decisions.set(key, decision);
    return decision;
  }

  function allowsObject({kind, action, onDefaultBranch, attribute}: ObjectNeed): boolean {
    const bit = bitOf(onDefaultBranch);
    if ((decisionOn(kind, action) & bit) === 0) return false;
    if (attribute === undefined || ofAttributes.length === 0) return true;
    const narrowing = ofAttributes.filter(
      grant => grant.attribute === attribute && concerns(grant, kind, action),
    );
    return narrowing.length === 0 || (decide(narrowing) & bit) !== 0;
  }

  return {allows: need => (need.is === 'global' ? may(need.action) : allowsObject(need))};
}

function concerns(grant: ObjectGrant, kind: string, action: ObjectAction): boolean {
  const {namespace, name} = splitKind(kind);
  return (
    (grant.namespace === '*' || grant.namespace === namespace) &&
    (grant.name === '*' || grant.name === name) &&
    (grant.action === 'any' || grant.action === action)
  );
}
