import type {Json} from '../base/json.ts';

/** Files of a repository as they are at one commit. */
export interface TransformFiles {
  /** They never change. */
  readonly folder: string;
}

export interface TemplateRun extends TransformFiles {
  /** The template, in the folder. */
  readonly path: string;
  readonly variables: Readonly<Record<string, Json>>;
  readonly millisMax: number;
}

export interface PythonClass extends TransformFiles {
  readonly path: string;
  readonly className: string;
  readonly millisMax: number;
}

export interface PythonRun extends PythonClass {
  /** The content of `data` in the answer of the query. */
  readonly data: Json;
  readonly branch: string;
}

export interface PythonFacts {
  /** The stored query that the class reads. */
  readonly query: string;
  readonly timeoutSeconds: number | undefined;
}

export type TransformFailureReason =
  /** The template or the code is wrong, or has failed on this data. */
  | 'code'
  /** There is no such template or file. */
  | 'missing'
  | 'timeout'
  | 'memory'
  | 'crash'
  /** There is no Python here that can run it. */
  | 'no-python';

/** Why there is no result. The message is for people: the place in the template, or the traceback. */
export class TransformFailure extends Error {
  override name = 'TransformFailure';
  readonly reason: TransformFailureReason;

  constructor(reason: TransformFailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Runs templates and code of users.
 *
 * Whatever they do, the service goes on: each run ends in time with a result or a `TransformFailure`, and the next run
 * finds everything as if there had been none before it. Code of users sees its files and its data, nothing else.
 */
export interface TransformRunner {
  render(run: TemplateRun): Promise<string>;
  /** The files that a template is made of, itself included; undefined when only rendering can tell. */
  templateFiles(template: Omit<TemplateRun, 'variables'>): Promise<readonly string[] | undefined>;
  transform(run: PythonRun): Promise<Json>;
  /** What a class says of itself. */
  describe(code: PythonClass): Promise<PythonFacts>;
  close(): Promise<void>;
}
