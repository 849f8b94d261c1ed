import fc from 'fast-check';

/** As much of JSON Schema as our own document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly examples?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {readonly content: Readonly<Record<string, {readonly schema: JsonSchema}>>};
  readonly responses: Readonly<
    Record<string, {readonly content?: Readonly<Record<string, {readonly schema: JsonSchema}>>}>
  >;
}

export interface FuzzedRequest {
  readonly url: string;
  readonly body: string | undefined;
  readonly type: string;
}

/** Words that mean something to the service, so that requests come further than the first check. */
const WORDS = [
  'main',
  'nowhere',
  'now',
  '-1m',
  '-9999999d',
  '2030-01-01T00:00:00Z',
  'BuiltinTag',
  'CoreAccount',
  'admin',
  '00000000-0000-4000-8000-000000000000',
  '../../etc/passwd',
  '%00',
  '',
  '__proto__',
  'constructor',
  '🦊',
  'a'.repeat(300),
];

const text = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...WORDS), fc.string({maxLength: 20}), fc.string({unit: 'binary', maxLength: 10}));

/** Values that fit the schema, for the most part. */
export function valueFor(schema: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(each => valueFor(each, depth)));
  if (schema.examples !== undefined && depth === 0) {
    return fc.oneof(
      fc.constantFrom(...schema.examples),
      valueFor({...schema, examples: undefined} as never, depth + 1),
    );
  }
  switch (schema.type) {
    case 'string':
      return text();
    case 'integer':
      return fc.integer();
    case 'number':
      return fc.double({noNaN: true, noDefaultInfinity: true});
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, depth + 1), {maxLength: 3});
    case 'object':
      return objectOf(schema, depth);
    default:
      return fc.jsonValue({maxDepth: 3});
  }
}

function objectOf({properties = {}, required = []}: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const values = Object.entries(properties).map(([name, each]) => [name, valueFor(each, depth + 1)] as const);
  return fc.record(Object.fromEntries(values), {requiredKeys: [...required]});
}

/** A request to the operation: mostly well formed, sometimes not at all. */
export function requestTo(path: string, {parameters, requestBody}: Operation): fc.Arbitrary<FuzzedRequest> {
  const inPath = parameters.filter(each => each.in === 'path');
  const inQuery = parameters.filter(each => each.in === 'query');
  const places = fc.tuple(
    ...inPath.map(() => text().filter(value => value !== '' && !/^\.{1,2}$/.test(value))),
  );
  const pairs = fc.array(
    fc.oneof({weight: 5, arbitrary: pairOf(inQuery)}, {weight: 1, arbitrary: fc.tuple(text(), text())}),
    {maxLength: 4},
  );
  return fc.record({places, pairs, body: bodyOf(requestBody)}).map(({places: values, pairs: given, body}) => {
    const filled = inPath.reduce(
      (url, {name}, index) => url.replace(`{${name}}`, encoded(values[index]!)),
      path,
    );
    const query = given.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
    return {url: query === '' ? filled : `${filled}?${query}`, ...body};
  });
}

/** Half of a surrogate pair cannot be written in a URL. */
const encoded = (value: string): string => encodeURIComponent(value.toWellFormed());

function pairOf(parameters: readonly Parameter[]): fc.Arbitrary<readonly [string, string]> {
  if (parameters.length === 0) return fc.tuple(text(), text());
  return fc.oneof(
    ...parameters.map(({name, schema}) =>
      fc.oneof(valueFor(schema), text()).map(value => [name, String(value)] as const),
    ),
  );
}

function bodyOf(requestBody: Operation['requestBody']): fc.Arbitrary<Pick<FuzzedRequest, 'body' | 'type'>> {
  const [type = 'application/json', content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const json = (value: unknown) => ({body: JSON.stringify(value), type: 'application/json'});
  const garbage = fc.oneof(
    fc.constant({body: undefined, type}),
    fc.jsonValue({maxDepth: 3}).map(json),
    text().map(body => ({body, type: 'application/json'})),
    text().map(body => ({body, type})),
    fc.constant({body: 'x', type: 'text/plain'}),
  );
  if (content === undefined) return garbage;
  return fc.oneof(
    {weight: 3, arbitrary: valueFor(content.schema).map(json)},
    {weight: 1, arbitrary: garbage},
  );
}
