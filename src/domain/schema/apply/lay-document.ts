import type {SchemaDocument} from '../document.ts';
import type {SchemaProblem} from '../problem.ts';
import type {SchemaSource} from '../source.ts';
import {applyFields} from './apply-fields.ts';
import {applyGeneric, applyNode} from './apply-kind.ts';
import {SourceEdit} from './edit.ts';
import {noteLateAttributes} from './late-attributes.ts';
import {renameKinds} from './rename-kinds.ts';

export type Applied = {
  /** The very source given when the document changes nothing. */
  readonly source: SchemaSource;
  readonly problems: readonly SchemaProblem[];
};

/** As `applyDocument`, without the rules that keep users out of what the service itself defines. */
export function layDocument(source: SchemaSource, document: SchemaDocument): Applied {
  const edit = new SourceEdit(source);
  renameKinds(edit, [...document.generics, ...document.nodes]);
  for (const entry of document.generics) applyGeneric(edit, entry);
  // Fields of generics come before those of nodes: a node's field must see what it overrides.
  const onGenerics = document.extensions.filter(({kind}) => edit.kinds.get(kind)?.type === 'generic');
  for (const entry of onGenerics) applyFields(edit, entry.kind, entry.attributes, entry.relationships);
  for (const entry of document.nodes) applyNode(edit, entry);
  for (const entry of document.extensions) {
    const target = edit.kinds.get(entry.kind);
    if (target === undefined) {
      edit.refuse(
        entry.kind,
        `${entry.kind} cannot be extended: there is no such kind; define it, or correct the name`,
      );
    } else if (target.type === 'node') {
      applyFields(edit, entry.kind, entry.attributes, entry.relationships);
    }
  }
  noteLateAttributes(source.kinds, edit.kinds);
  return {source: edit.result(), problems: edit.problems};
}
