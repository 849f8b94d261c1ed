import type {AttributeSchema, RelationshipSchema} from '../schema.ts';
import {type GenericDefinition, kindName, type SchemaSource} from '../source.ts';
import {BRANCH_SUPPORTS, type BranchSupport} from '../vocabulary.ts';
import type {NodeDraft, Workspace} from './draft.ts';
import {processRelationship} from './process-field.ts';
import {branchOf, processAttributes} from './start-kinds.ts';

/** Properties that a node takes from the first generic that declares them, when it does not itself. */
const INHERITED_PROPERTIES = [
  'human_friendly_id',
  'display_label',
  'display_labels',
  'default_filter',
  'menu_placement',
  'icon',
  'order_by',
] as const;

/** Gives every node the fields and properties of its generics. */
export function inherit(workspace: Workspace, source: SchemaSource): void {
  const offers = new Map<string, Offer>();
  for (const node of workspace.nodes.values()) {
    const generics: Offer[] = [];
    for (const name of node.inherit_from) {
      const generic = source.kinds.get(name);
      if (generic?.type !== 'generic') continue;
      const offer = offers.get(name) ?? offerOf(source, generic);
      offers.set(name, offer);
      generics.push(offer);
    }
    if (generics.length > 0) inheritOne(node, generics);
  }
}

/** What a generic hands down. The processed fields are the same for all heirs of one branch support. */
type Offer = {
  readonly generic: GenericDefinition;
  readonly fields: Readonly<Record<BranchSupport, Fields>>;
};

type Fields = {
  readonly attributes: readonly AttributeSchema[];
  readonly relationships: readonly RelationshipSchema[];
};

function offerOf(source: SchemaSource, generic: GenericDefinition): Offer {
  const name = kindName(generic);
  const fields = BRANCH_SUPPORTS.map(branch => [
    branch,
    {
      attributes: processAttributes(generic, branch).map(each => ({...each, inherited: true})),
      relationships: generic.relationships.map(each => ({
        ...processRelationship(each, name, branchOf(source, each, branch)),
        inherited: true,
      })),
    },
  ]);
  return {generic, fields: Object.fromEntries(fields) as Offer['fields']};
}

function inheritOne(node: NodeDraft, offers: readonly Offer[]): void {
  const seen = new Set([...node.attributes, ...node.relationships].map(field => field.name));
  const isNew = (field: {readonly name: string}) => {
    if (seen.has(field.name)) return false;
    seen.add(field.name);
    return true;
  };
  for (const {fields} of offers) {
    node.attributes.push(...fields[node.branch].attributes.filter(isNew));
    node.relationships.push(...fields[node.branch].relationships.filter(isNew));
  }
  const alone = new Set(node.uniqueness_constraints?.flatMap(paths => (paths.length === 1 ? paths : [])));
  if (alone.size > 0) {
    node.attributes = node.attributes.map(each =>
      alone.has(`${each.name}__value`) ? {...each, unique: true} : each,
    );
  }
  const generics = offers.map(({generic}) => generic);
  for (const property of INHERITED_PROPERTIES) {
    const declared = node[property] ?? generics.find(each => each[property] !== null)?.[property] ?? null;
    Object.assign(node, {[property]: declared});
  }
}
