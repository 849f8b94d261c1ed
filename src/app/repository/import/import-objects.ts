import type {NodeId} from '../../../domain/graph/node-id.ts';
import {readMenuFile, readObjectFile} from '../../../domain/repository/object-file.ts';
import type {WriteScope} from '../../write.ts';
import type {Importing} from './importing.ts';
import {putMenuRow} from './menu-rows.ts';
import {putRow} from './object-rows.ts';
import {keepMembers} from './repository-group.ts';

const YAML = /\.(?:ya?ml|json)$/;

/** Every file is one commit: all its objects, or none of them. */
export async function importObjects(importing: Importing, paths: readonly string[]): Promise<void> {
  const {repository} = importing.subject;
  await importFiles(importing, 'object', paths, async (scope, path, ids) => {
    for (const document of path.documents) {
      const {kind, rows} = readObjectFile(document, path.name);
      for (const row of rows) ids.push(...(await putRow(scope, kind, row, repository)));
    }
  });
}

export async function importMenus(importing: Importing, paths: readonly string[]): Promise<void> {
  const {repository} = importing.subject;
  await importFiles(importing, 'menu', paths, async (scope, path, ids) => {
    for (const document of path.documents) {
      for (const row of readMenuFile(document, path.name)) {
        ids.push(...(await putMenuRow(scope, row, repository)));
      }
    }
  });
}

interface ReadFile {
  readonly name: string;
  readonly documents: Awaited<ReturnType<Importing['documents']>>;
}

/** What the files brought before and bring no more is deleted, unless a file could not be read this time. */
async function importFiles(
  importing: Importing,
  content: 'object' | 'menu',
  paths: readonly string[],
  put: (scope: WriteScope, file: ReadFile, ids: NodeId[]) => Promise<void>,
): Promise<void> {
  const problemsBefore = importing.problems.length;
  const brought: NodeId[] = [];
  for (const path of paths) {
    await importing.attempt(`${content}s ${path}`, async () => {
      for (const name of await importing.files(path, YAML)) {
        await importing.attempt(`${content}s ${name}`, async () => {
          const file = {name, documents: await importing.documents(name)};
          const ids: NodeId[] = [];
          await importing.write(name, scope => put(scope, file, ids));
          brought.push(...ids);
        });
      }
    });
  }
  const isWhole = importing.problems.length === problemsBefore;
  await keepMembers(importing, content, brought, isWhole);
}
