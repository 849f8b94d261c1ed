import {nodeNotFound, validationError} from '../../../domain/errors.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {Jinja2TransformEntry, PythonTransformEntry} from '../../../domain/repository/config.ts';
import {findNode} from '../../node/find-node.ts';
import {QUERY} from './import-queries.ts';
import type {Importing} from './importing.ts';
import {putOwned} from './put-owned.ts';

export const JINJA2_TRANSFORM = 'CoreTransformJinja2';
export const PYTHON_TRANSFORM = 'CoreTransformPython';
const DESCRIBE_MILLIS_MAX = 30_000;

export async function importJinja2Transforms(
  importing: Importing,
  transforms: readonly Jinja2TransformEntry[],
): Promise<void> {
  const {repository} = importing.subject;
  for (const {name, query, path, description} of transforms) {
    await importing.attempt(`jinja2_transforms "${name}"`, async () => {
      await importing.text(path);
      await putOwned(importing, JINJA2_TRANSFORM, {
        name,
        values: {template_path: path, description},
        peers: {query: await queryNamed(importing, query), repository},
      });
    });
  }
}

/** A class says itself which query it reads, so it is asked. */
export async function importPythonTransforms(
  importing: Importing,
  transforms: readonly PythonTransformEntry[],
): Promise<void> {
  const {deps, subject} = importing;
  for (const {name, path, className, convertsResponse, description} of transforms) {
    await importing.attempt(`python_transforms "${name}"`, async () => {
      await importing.text(path);
      const facts = await deps.git.inFolder(subject.repository, subject.commit, folder =>
        deps.transforms.describe({folder, path, className, millisMax: DESCRIBE_MILLIS_MAX}),
      );
      await putOwned(importing, PYTHON_TRANSFORM, {
        name,
        values: {
          file_path: path,
          class_name: className,
          convert_query_response: convertsResponse,
          description,
          timeout: facts.timeoutSeconds,
        },
        peers: {query: await queryNamed(importing, facts.query), repository: subject.repository},
      });
    });
  }
}

async function queryNamed(importing: Importing, name: string): Promise<NodeId> {
  return (await namedNode(importing, QUERY, name)).id;
}

/** An object of the branch, by its id or name. */
export async function namedNode(importing: Importing, kind: string, name: string) {
  const {store, schemas} = importing.deps;
  const snapshot = await store.snapshot({branch: importing.subject.branch});
  const node = await findNode(snapshot, schemas.of(snapshot), kind, {id: name}).catch(() => {
    throw validationError(`"${name}" does not name one ${kind}`);
  });
  if (node === undefined) throw nodeNotFound(kind, name);
  return node;
}
