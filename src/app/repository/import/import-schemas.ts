import {loadSchema} from '../../schema/load-schema.ts';
import {SERVICE} from '../../service-caller.ts';
import type {Importing} from './importing.ts';

const YAML = /\.(?:ya?ml|json)$/;

/** Loads all schema files as one change, as they may lead to each other. Kinds of files that went stay. */
export async function importSchemas(importing: Importing, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await importing.attempt('schemas', async () => {
    const payload: unknown[] = [];
    for (const path of paths) {
      for (const file of await importing.files(path, YAML))
        payload.push(...(await importing.documents(file)));
    }
    await loadSchema(importing.deps, SERVICE, {branch: importing.subject.branch, payload});
  });
}
