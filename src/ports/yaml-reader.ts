import type {Json} from '../base/json.ts';

/** A text that is no YAML. The message says what is wrong and in which line. */
export class YamlInvalid extends Error {
  override name = 'YamlInvalid';
}

/** The documents of a YAML file, read as PyYAML reads them. JSON is YAML too. */
export type ReadYaml = (text: string) => readonly Json[];
