import {md5Hex} from '../../base/hash.ts';
import {toApi} from '../../domain/schema/api/to-api.ts';
import type {Schema} from '../../domain/schema/schema.ts';

/** Answers kept for one schema, one for each choice of namespaces. */
const TEXTS_PER_SCHEMA_MAX = 16;

export interface SchemaText {
  readonly text: string;
  readonly etag: string;
}

/**
 * The schema as text, made once for each schema and choice of namespaces. A text goes when its schema does: the
 * hash of a schema would not do as a key, since it does not cover the ids that the text shows.
 */
export class SchemaTexts {
  readonly #texts = new WeakMap<Schema, Map<string, SchemaText>>();

  of(schema: Schema, namespaces: readonly string[] | undefined): SchemaText {
    const wanted = namespaces === undefined ? undefined : new Set(namespaces);
    const key = wanted === undefined ? '*' : [...wanted].sort().join();
    const texts = this.#texts.get(schema) ?? new Map<string, SchemaText>();
    this.#texts.set(schema, texts);
    const known = texts.get(key);
    if (known !== undefined) return known;
    if (texts.size >= TEXTS_PER_SCHEMA_MAX) texts.clear();
    const text = JSON.stringify(toApi(schema, wanted));
    const made = {text, etag: `"${md5Hex(text)}"`};
    texts.set(key, made);
    return made;
  }
}
