import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';

/** The files that may say what a repository brings, in the order in which they are looked for. */
export const CONFIG_FILES = ['.trellis.yml', '.service.yml', '.infrahub.yml'] as const;

export interface NamedFile {
  readonly name: string;
  readonly path: string;
}

export interface Jinja2TransformEntry extends NamedFile {
  readonly query: string;
  readonly description: string | undefined;
}

export interface PythonTransformEntry extends NamedFile {
  readonly className: string;
  readonly convertsResponse: boolean;
  readonly description: string | undefined;
}

export interface ArtifactDefinitionEntry {
  readonly name: string;
  readonly artifactName: string;
  readonly description: string | undefined;
  readonly parameters: JsonObject;
  readonly contentType: string;
  readonly targets: string;
  readonly transformation: string;
}

/** What a repository brings. Paths of schemas, objects and menus may be folders. */
export interface RepositoryConfig {
  readonly schemas: readonly string[];
  readonly fragments: readonly NamedFile[];
  readonly queries: readonly NamedFile[];
  readonly jinja2Transforms: readonly Jinja2TransformEntry[];
  readonly pythonTransforms: readonly PythonTransformEntry[];
  readonly artifactDefinitions: readonly ArtifactDefinitionEntry[];
  readonly objects: readonly string[];
  readonly menus: readonly string[];
  /** Checks and generators, by section and name: known, and not run by this version. */
  readonly notYetRun: readonly string[];
}

export interface ReadConfig {
  readonly config: RepositoryConfig;
  /** What could not be understood; all the rest is in the config. */
  readonly problems: readonly string[];
}

/** Reads what it can: an entry that is wrong is a problem and is left out, and stands in nobody's way. */
export function readConfig(document: Json): ReadConfig {
  const reader = new ConfigReader(isJsonObject(document) ? document : {});
  if (!isJsonObject(document) && document !== null)
    reader.problems.push('The file is not a list of sections');
  const config: RepositoryConfig = {
    schemas: reader.paths('schemas'),
    fragments: reader.entries('graphql_fragments', namedFile),
    queries: reader.entries('queries', namedFile),
    jinja2Transforms: reader.entries('jinja2_transforms', entry => ({
      name: entry.text('name'),
      query: entry.text('query'),
      path: entry.text('template_path'),
      description: entry.optional('description'),
    })),
    pythonTransforms: reader.entries('python_transforms', entry => ({
      ...namedFile(entry),
      className: entry.optional('class_name') ?? 'Transform',
      convertsResponse: entry.value('convert_query_response') === true,
      description: entry.optional('description'),
    })),
    artifactDefinitions: reader.entries('artifact_definitions', entry => ({
      name: entry.text('name'),
      artifactName: entry.optional('artifact_name') ?? entry.text('name'),
      description: entry.optional('description'),
      parameters: entry.object('parameters'),
      contentType: entry.text('content_type'),
      targets: entry.text('targets'),
      transformation: entry.text('transformation'),
    })),
    objects: reader.paths('objects'),
    menus: reader.paths('menus'),
    notYetRun: ['check_definitions', 'generator_definitions'].flatMap(section =>
      reader.entries(section, entry => `${section} ${entry.text('name')}`),
    ),
  };
  reader.noteUnknown();
  return {config, problems: reader.problems};
}

const namedFile = (entry: EntryReader): NamedFile => ({
  name: entry.text('name'),
  path: entry.text('file_path'),
});

class EntryInvalid extends Error {}

class EntryReader {
  readonly #entry: JsonObject;

  constructor(entry: JsonObject) {
    this.#entry = entry;
  }

  value(key: string): Json {
    return this.#entry[key] ?? null;
  }

  text(key: string): string {
    const value = this.value(key);
    if (typeof value !== 'string' || value === '') throw new EntryInvalid(`needs a text under ${key}`);
    return value;
  }

  optional(key: string): string | undefined {
    return this.value(key) === null ? undefined : this.text(key);
  }

  object(key: string): JsonObject {
    const value = this.value(key);
    if (!isJsonObject(value)) throw new EntryInvalid(`needs a map under ${key}`);
    return value;
  }
}

class ConfigReader {
  readonly problems: string[] = [];
  readonly #document: JsonObject;
  readonly #known = new Set<string>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  paths(section: string): readonly string[] {
    return this.#list(section).flatMap((item, place) => {
      if (typeof item === 'string' && item !== '') return item;
      this.problems.push(`${section}, entry ${place + 1}: is not a path`);
      return [];
    });
  }

  entries<T>(section: string, read: (entry: EntryReader) => T): readonly T[] {
    const names = new Set<Json>();
    return this.#list(section).flatMap((item, place) => {
      const given = isJsonObject(item) ? item : {};
      const called = typeof given.name === 'string' ? `"${given.name}"` : `entry ${place + 1}`;
      if (names.has(given.name ?? null)) {
        this.problems.push(`${section}, ${called}: is there more than once`);
        return [];
      }
      names.add(given.name ?? null);
      try {
        return read(new EntryReader(given));
      } catch (error) {
        if (!(error instanceof EntryInvalid)) throw error;
        this.problems.push(`${section}, ${called}: ${error.message}`);
        return [];
      }
    });
  }

  noteUnknown(): void {
    for (const section of Object.keys(this.#document)) {
      if (!this.#known.has(section)) this.problems.push(`There is no section ${section}`);
    }
  }

  #list(section: string): readonly Json[] {
    this.#known.add(section);
    const value = this.#document[section] ?? null;
    if (value === null) return [];
    if (Array.isArray(value)) return value;
    this.problems.push(`${section} is not a list`);
    return [];
  }
}
