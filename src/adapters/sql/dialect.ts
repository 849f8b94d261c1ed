import type {AttributeKind} from '../../domain/attribute/kinds.ts';

/** What the values of a kind of attribute are; those of a structured one may be anything. */
export type ValueType = 'boolean' | 'number' | 'text' | 'structured';

export type JsonPath = readonly (string | number)[];

/** What the engines spell differently. Nobody else asks which database it is. */
export interface Dialect {
  /** A table of the integers in a JSON array, with one column `value`. */
  integers(parameter: string): string;
  /** A table of the texts in a JSON array, with one column `value`. */
  texts(parameter: string): string;
  /** A table of the integer triples in a JSON array of arrays, with columns `a`, `b`, `c`. */
  triples(parameter: string): string;
  /** The value at a path of a JSON document; a truth value is 1 or 0, a structured one its JSON text. */
  jsonValue(document: string, path: JsonPath, type: ValueType): string;
  /** The JSON text of what stands at a path of a JSON document, in the form that `canonicalJson` gives it. */
  jsonText(document: string, path: JsonPath): string;
  /** The characters of a JSON text that is a string, the text itself of any other; null of null. */
  jsonContent(json: string): string;
  /** True when there is something at the path, be it null. */
  jsonHas(document: string, path: JsonPath): string;
  /** True when the JSON array at the path holds the number. */
  jsonArrayHolds(document: string, path: JsonPath, number: number): string;
  /** A form of an attribute's value that compares as the attribute sorts. */
  orderable(kind: AttributeKind, value: string): string;
  /** The sort key of a value of any type, from its JSON text. */
  orderableJson(kind: AttributeKind, json: string): string;
  /** A property of an attribute's value, such as the version of an address. */
  property(kind: AttributeKind, property: string, value: string): string;
  /** True when the first text holds the second. */
  holdsText(text: string, part: string): string;
  /** One part of a UNION ALL that is put in order by its first two columns and cut after so many rows. */
  orderedArm(arm: string, rowsMax: (() => string) | null): string;
  /** True when one statement can take a row out of one table and put it into another. */
  readonly movesRows: boolean;
  /** Behind the name of a table: by which index its rows are found. */
  indexedBy(index: string): string;
  /** The greater of two numbers. */
  greatest(a: string, b: string): string;
  /** A text with the differences of case removed, for every script. */
  fold(text: string): string;
}
