import type {JsonObject} from '../../../base/json.ts';
import type {AttributeKind} from '../../attribute/kinds.ts';
import type {AttributeSchema, KindSchema} from '../schema.ts';

const FILTER_KINDS: Partial<Record<AttributeKind, string>> = {
  Number: 'Number',
  Bandwidth: 'Number',
  NumberPool: 'Number',
  Boolean: 'Boolean',
  Checkbox: 'Boolean',
  List: 'List',
};

/** By what objects of the kind can be looked up, for clients that build their forms from it. */
export function filtersOf(kind: KindSchema): readonly JsonObject[] {
  return [filter('ids', 'List'), ...kind.attributes.map(attributeFilter)];
}

function attributeFilter(attribute: AttributeSchema): JsonObject {
  const name = `${attribute.name}__value`;
  const members = attribute.enum ?? attribute.choices?.map(choice => choice.name) ?? null;
  if (members !== null) return {...filter(name, 'Enum'), enum: members};
  return filter(name, FILTER_KINDS[attribute.kind] ?? 'Text');
}

const filter = (name: string, kind: string): JsonObject => ({
  name,
  kind,
  enum: null,
  object_kind: null,
  description: null,
});
