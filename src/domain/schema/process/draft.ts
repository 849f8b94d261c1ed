import type {
  AttributeSchema,
  FieldSchema,
  GenericSchema,
  NodeSchema,
  ProfileSchema,
  RelationshipSchema,
  TemplateSchema,
} from '../schema.ts';

/** A processed kind while it is being put together; nothing outside this room sees one. */
type Draft<T extends {readonly attributes: unknown}> = {
  -readonly [K in keyof Omit<T, 'attributes' | 'relationships'>]: T[K];
} & {
  attributes: AttributeSchema[];
  relationships: RelationshipSchema[];
};

export type NodeDraft = Draft<NodeSchema>;
export type GenericDraft = Draft<GenericSchema>;
export type ProfileDraft = Draft<ProfileSchema>;
export type TemplateDraft = Draft<TemplateSchema>;
export type KindDraft = NodeDraft | GenericDraft | ProfileDraft | TemplateDraft;

/** Every kind of the schema under construction, by name. */
export type Workspace = {
  readonly nodes: Map<string, NodeDraft>;
  readonly generics: Map<string, GenericDraft>;
  readonly profiles: Map<string, ProfileDraft>;
  readonly templates: Map<string, TemplateDraft>;
};

export function draftOf(workspace: Workspace, kind: string): NodeDraft | GenericDraft | undefined {
  return workspace.nodes.get(kind) ?? workspace.generics.get(kind);
}

export function hasField(draft: KindDraft, name: string): boolean {
  return findField(draft, name) !== undefined;
}

export function findField(draft: KindDraft, name: string): FieldSchema | undefined {
  return (
    draft.attributes.find(attribute => attribute.name === name) ??
    draft.relationships.find(relationship => relationship.name === name)
  );
}
