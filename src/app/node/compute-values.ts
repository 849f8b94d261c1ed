import type {Json} from '../../base/json.ts';
import {checkValue} from '../../domain/attribute/check-value.ts';
import {renderTemplate} from '../../domain/attribute/jinja/template.ts';
import {pathValue} from '../../domain/attribute/parts.ts';
import {constraintViolation, validationError} from '../../domain/errors.ts';
import type {AttributeWrite} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {ComputedFacts} from '../../domain/node/computed-facts.ts';
import type {FieldProblem} from '../../domain/node/field-problem.ts';
import {invalidFields} from '../../domain/node/field-problem.ts';
import {
  computedRoundsMax,
  objectsInErrorMax,
  objectsRefreshedMax,
  refreshBatchSize,
} from '../../domain/node/limits.ts';
import type {NodeWork} from './node-work.ts';
import {objectsRelatedTo} from './objects-related-to.ts';
import type {WithPeers} from './with-peers.ts';
import {withPeers} from './with-peers.ts';

/** Computed attributes to render again: by kind, then by object. */
type Stale = Map<string, Map<NodeId, Set<string>>>;

/** Values that changed, whose readers must be looked at: by object. */
type Changed = Map<NodeId, {readonly kind: string; readonly names: ReadonlySet<string>}>;

/** Templates that could not be rendered so far, by object and attribute. */
type Failures = Map<string, {readonly kind: string; readonly problem: FieldProblem}>;

/**
 * Renders the computed attributes whose inputs have changed, round by round: what a round changes is input to the
 * next. A template that fails on a value which a later round puts right is no error.
 */
export async function computeValues(work: NodeWork): Promise<void> {
  const failures: Failures = new Map();
  let changed: Changed = new Map();
  let stale = firstStale(work);
  await addReaders(work, stale, work.values);
  for (let round = 0; stale.size > 0; round += 1) {
    if (round === computedRoundsMax) throw circle(changed);
    changed = new Map();
    for (const [kind, objects] of stale) await renderKind(work, kind, objects, changed, failures);
    stale = new Map();
    await addReaders(work, stale, changed, true);
  }
  const [first, ...others] = failures.values();
  if (first === undefined) return;
  const shown = [first, ...others].slice(0, objectsInErrorMax);
  throw invalidFields(
    first.kind,
    shown.map(({problem}) => problem),
  );
}

function firstStale(work: NodeWork): Stale {
  const stale: Stale = new Map();
  for (const [id, kind] of work.made) {
    for (const {attribute} of work.facts.kind(kind).computed) add(work, stale, kind, id, attribute.name);
  }
  for (const {node, kind, relationship} of work.ends.values()) {
    const readers = work.facts.kind(kind).edgeReaders.get(relationship.name) ?? [];
    for (const name of readers) add(work, stale, kind, node, name);
  }
  return stale;
}

/** Readers of the same object that come after in reading order were rendered with what they read. */
async function addReaders(work: NodeWork, stale: Stale, changed: Changed, isRendered = false): Promise<void> {
  const read = new Map<string, Map<string, NodeId[]>>();
  for (const [id, {kind, names}] of changed) {
    const facts = work.facts.kind(kind);
    const order = isRendered ? facts.computed.map(({attribute}) => attribute.name) : [];
    for (const name of names) {
      for (const reader of facts.ownReaders.get(name) ?? []) {
        if (order.indexOf(reader) <= order.indexOf(name)) add(work, stale, kind, id, reader);
      }
      if (!facts.peerReaders.has(name)) continue;
      const byName = read.get(kind) ?? new Map<string, NodeId[]>();
      read.set(kind, byName);
      const ids = byName.get(name);
      if (ids === undefined) byName.set(name, [id]);
      else ids.push(id);
    }
  }
  for (const [kind, byName] of read) {
    for (const [name, ids] of byName) {
      for (const reader of work.facts.kind(kind).peerReaders.get(name) ?? []) {
        for (const node of await objectsRelatedTo(work.draft, reader, kind, ids)) {
          add(work, stale, node.kind, node.id, reader.computed);
        }
      }
    }
  }
}

function add(work: NodeWork, stale: Stale, kind: string, id: NodeId, attribute: string): void {
  if (work.deleted.has(id)) return;
  const objects = stale.get(kind) ?? new Map<NodeId, Set<string>>();
  stale.set(kind, objects);
  const names = objects.get(id) ?? new Set();
  objects.set(id, names.add(attribute));
  if (objects.size <= objectsRefreshedMax) return;
  throw validationError(`This change reaches more than ${objectsRefreshedMax} objects of ${kind}`);
}

async function renderKind(
  work: NodeWork,
  kind: string,
  objects: ReadonlyMap<NodeId, ReadonlySet<string>>,
  changed: Changed,
  failures: Failures,
): Promise<void> {
  const {computed} = work.facts.kind(kind);
  const relationships = peersRead(computed);
  const ids = [...objects.keys()];
  for (let start = 0; start < ids.length; start += refreshBatchSize) {
    const batch = ids.slice(start, start + refreshBatchSize);
    for (const object of await withPeers(work, kind, batch, relationships)) {
      const names = objects.get(object.node.id) ?? new Set();
      const writes = renderObject(computed, object, names, failures);
      if (Object.keys(writes).length === 0) continue;
      await work.update(object.node.id, writes);
      changed.set(object.node.id, {kind, names: new Set(Object.keys(writes))});
    }
  }
}

/** What the stale attributes of an object are now, and those that read one of them further on. */
function renderObject(
  computed: readonly ComputedFacts[],
  object: WithPeers,
  stale: ReadonlySet<string>,
  failures: Failures,
): Readonly<Record<string, AttributeWrite>> {
  const {node} = object;
  const writes: Record<string, AttributeWrite> = {};
  for (const facts of computed) {
    const {name} = facts.attribute;
    const readsFresh = facts.inputs.some(
      input => input.is === 'own' && Object.hasOwn(writes, input.attribute.name),
    );
    if (!stale.has(name) && !readsFresh) continue;
    const key = `${node.id} ${name}`;
    const outcome = render(facts, object, writes);
    if ('problem' in outcome) {
      const problem = {field: name, message: `${node.kind} ${node.id}: ${outcome.problem}`};
      failures.set(key, {kind: node.kind, problem});
      continue;
    }
    failures.delete(key);
    if (outcome.value !== node.value(name)) writes[name] = {value: outcome.value, isDefault: false};
  }
  return writes;
}

type Rendered = {readonly value: Json} | {readonly problem: string};

/** Attributes rendered just before, of the same object, are read from `fresh`. */
function render(
  {attribute, template, inputs}: ComputedFacts,
  {node, peers}: WithPeers,
  fresh: Readonly<Record<string, AttributeWrite>>,
): Rendered {
  const variables: Record<string, Json> = {};
  for (const input of inputs) {
    const {name, kind} = input.attribute;
    const value =
      input.is === 'own'
        ? (fresh[name]?.value ?? node.value(name))
        : (peers.get(input.relationship.name)?.value(name) ?? null);
    variables[input.variable] = pathValue(kind, input.property, value);
  }
  const outcome = renderTemplate(template, variables);
  if (!outcome.ok) return {problem: `the template cannot be rendered: ${outcome.problem}`};
  const checked = checkValue(attribute, outcome.text);
  return checked.ok ? {value: checked.value} : {problem: checked.problems.join(', ')};
}

function peersRead(computed: readonly ComputedFacts[]): readonly string[] {
  const names = new Set<string>();
  for (const {inputs} of computed) {
    for (const input of inputs) if (input.is === 'peer') names.add(input.relationship.name);
  }
  return [...names];
}

function circle(changed: Changed): Error {
  const names = new Set<string>();
  for (const {kind, names: written} of changed.values()) {
    for (const name of written) names.add(`${kind}.${name}`);
  }
  const list = [...names].sort();
  return constraintViolation(
    `Computed attributes read each other in a circle and never settle: ${list.join(', ')}`,
    {attributes: list},
  );
}
