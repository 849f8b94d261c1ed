import {attributeOf} from '../../../domain/schema/lookup.ts';
import type {AttributeSchema, KindSchema} from '../../../domain/schema/schema.ts';

/** The attribute whose value is the display label; undefined when the label is put together from more. */
export function labelAttribute(kind: KindSchema): AttributeSchema | undefined {
  const paths = kind.display_label === null ? kind.display_labels : [kind.display_label];
  if (paths === null || paths.length !== 1) return undefined;
  const [name = '', property = 'value', ...more] = paths[0]!.split('__');
  return property === 'value' && more.length === 0 ? attributeOf(kind, name) : undefined;
}
