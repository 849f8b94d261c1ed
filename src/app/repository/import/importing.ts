import type {Json} from '../../../base/json.ts';
import type {BranchName} from '../../../domain/branch/branch.ts';
import {ServiceError, validationError} from '../../../domain/errors.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {GitCommit} from '../../../domain/repository/git-commit.ts';
import {GitFailure, type GitHost} from '../../../ports/git-host.ts';
import {TransformFailure, type TransformRunner} from '../../../ports/transform-runner.ts';
import {type ReadYaml, YamlInvalid} from '../../../ports/yaml-reader.ts';
import type {LoadDeps} from '../../schema/load-schema.ts';
import {SERVICE} from '../../service-caller.ts';
import type {Services} from '../../services.ts';
import {type WriteScope, writing} from '../../write.ts';

export type ImportDeps = Pick<Services, 'store' | 'schemas' | 'ids'> &
  LoadDeps & {
    readonly git: GitHost;
    readonly transforms: TransformRunner;
    readonly readYaml: ReadYaml;
  };

export interface ImportSubject {
  readonly repository: NodeId;
  readonly name: string;
  readonly branch: BranchName;
  readonly commit: GitCommit;
}

const FILE_BYTES_MAX = 16 * 1024 * 1024;
const FILES_MAX = 10_000;

/** One import of a commit into a branch: what it reads, what it writes, and what it could not do. */
export class Importing {
  readonly deps: ImportDeps;
  readonly subject: ImportSubject;
  readonly problems: string[] = [];

  constructor(deps: ImportDeps, subject: ImportSubject) {
    this.deps = deps;
    this.subject = subject;
  }

  /** What goes wrong in one part is written down and stands in no other's way. */
  async attempt(part: string, body: () => Promise<void>): Promise<void> {
    try {
      await body();
    } catch (error) {
      if (!isOfTheRepository(error)) throw error;
      this.problems.push(`${part}: ${error.message}`);
    }
  }

  async textIfThere(path: string): Promise<string | undefined> {
    const {repository, commit} = this.subject;
    const file = await this.deps.git.readFile(repository, commit, path, FILE_BYTES_MAX);
    if (file.is === 'missing') return undefined;
    if (file.is === 'outside') throw validationError(`${path} leads out of the repository`);
    if (file.is === 'too-large') throw validationError(`${path} is larger than ${FILE_BYTES_MAX} bytes`);
    const parts: Uint8Array[] = [];
    for await (const part of file.content) parts.push(part);
    return Buffer.concat(parts).toString('utf8');
  }

  async text(path: string): Promise<string> {
    const text = await this.textIfThere(path);
    if (text === undefined) throw validationError(`There is no file ${path}`);
    return text;
  }

  async documents(path: string): Promise<readonly Json[]> {
    return this.deps.readYaml(await this.text(path));
  }

  /** The file, or all files below the folder that end so. */
  async files(path: string, ending: RegExp): Promise<readonly string[]> {
    const {repository, commit} = this.subject;
    const entries = await this.deps.git.list(repository, commit, path);
    const found = entries.map(entry => entry.path).filter(each => ending.test(each));
    if (found.length > FILES_MAX) throw validationError(`${path} has more than ${FILES_MAX} files`);
    return found.length > 0 ? found.sort() : [path];
  }

  async write<T>(what: string, body: (scope: WriteScope) => Promise<T>): Promise<T> {
    const {branch, name, commit} = this.subject;
    const message = `${name} ${commit.slice(0, 8)}: ${what}`;
    return (await writing(this.deps, SERVICE, {branch, message}, body)).value;
  }
}

/** What the content of a repository can cause. Anything else is ours, and fails the task. */
const isOfTheRepository = (error: unknown): error is Error =>
  (error instanceof ServiceError && error.code !== 'UNAVAILABLE') ||
  error instanceof GitFailure ||
  error instanceof YamlInvalid ||
  error instanceof TransformFailure;
