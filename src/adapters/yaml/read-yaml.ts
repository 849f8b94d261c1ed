import {parseAllDocuments} from 'yaml';
import type {Json} from '../../base/json.ts';
import {YamlInvalid} from '../../ports/yaml-reader.ts';

/** Merge keys and the yes and no of YAML 1.1 are what files of this trade are written in. */
const OPTIONS = {version: '1.1', merge: true, prettyErrors: true, logLevel: 'silent'} as const;

export function readYaml(text: string): readonly Json[] {
  const documents = parseAllDocuments(text, OPTIONS);
  if (!Array.isArray(documents)) return [];
  return documents.map(document => {
    const [error] = document.errors;
    if (error !== undefined) throw new YamlInvalid(error.message.split('\n')[0]!.replace(/:$/, ''));
    try {
      return plain(document.toJS({maxAliasCount: 100}));
    } catch (cause) {
      throw new YamlInvalid(cause instanceof Error ? cause.message : String(cause), {cause});
    }
  });
}

/** Dates and the like become what JSON makes of them. */
const plain = (value: unknown): Json =>
  value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json);
