import {join} from 'node:path';
import {isJsonObject, type Json} from '../../base/json.ts';
import {Slots} from '../../base/slots.ts';
import {
  type PythonClass,
  type PythonFacts,
  type PythonRun,
  type TemplateRun,
  TransformFailure,
  type TransformFailureReason,
  type TransformRunner,
} from '../../ports/transform-runner.ts';
import {canWrap, wrapped} from './bubblewrap.ts';
import {type PythonEnvironment, pythonEnvironment} from './python-environment.ts';
import {type PythonCommand, PythonProcess} from './python-process.ts';

export interface PythonRunnerOptions {
  readonly python: string;
  /** Where the virtual environment is kept. */
  readonly environmentFolder: string;
  /** All files of repositories are below it. */
  readonly repositoriesFolder: string;
  /** Templates at a time, and as many transforms. */
  readonly processesMax: number;
  readonly memoryBytesMax: number;
  /** Whether to run in bubblewrap where the system has it. */
  readonly useBubblewrap: boolean;
}

const WORKER = join(import.meta.dirname, 'worker');
const START_MILLIS_MAX = 30_000;
/** A process that has rendered so much is replaced, so that nothing it keeps can pile up. */
const RENDERS_MAX = 20_000;

interface Ready {
  readonly environment: PythonEnvironment;
  readonly isWrapped: boolean;
}

interface Renderer {
  readonly process: PythonProcess;
  renders: number;
}

/** Templates in a pool of warm processes, each transform in a process of its own. */
export class PythonTransformRunner implements TransformRunner {
  readonly #options: PythonRunnerOptions;
  readonly #templates: Slots;
  readonly #transforms: Slots;
  readonly #idle: Renderer[] = [];
  readonly #running = new Set<PythonProcess>();
  #ready: Promise<Ready> | undefined;

  constructor(options: PythonRunnerOptions) {
    this.#options = options;
    this.#templates = new Slots(options.processesMax);
    this.#transforms = new Slots(options.processesMax);
  }

  async render({folder, path, variables, millisMax}: TemplateRun): Promise<string> {
    return (await this.#ofTemplate({folder, path, variables}, millisMax)) as string;
  }

  async templateFiles({
    folder,
    path,
    millisMax,
  }: Omit<TemplateRun, 'variables'>): Promise<readonly string[] | undefined> {
    const files = await this.#ofTemplate({folder, path}, millisMax);
    return files === null ? undefined : (files as readonly string[]);
  }

  transform({folder, path, className, data, branch, millisMax}: PythonRun): Promise<Json> {
    const request = {verb: 'transform', folder, file_path: path, class_name: className, data, branch};
    return this.#once(folder, request, millisMax);
  }

  async describe({folder, path, className, millisMax}: PythonClass): Promise<PythonFacts> {
    const request = {verb: 'describe', folder, file_path: path, class_name: className};
    const said = await this.#once(folder, request, millisMax);
    const {query, timeout} = said as {readonly query: string; readonly timeout: number | null};
    return {query, timeoutSeconds: timeout ?? undefined};
  }

  async close(): Promise<void> {
    const running = [...this.#running];
    for (const process of running) process.kill();
    await Promise.all(running.map(({ended}) => ended));
  }

  async #ofTemplate(request: Json, millisMax: number): Promise<Json> {
    const ready = await this.#prepared();
    return this.#templates.run(async () => {
      const renderer = this.#idle.pop() ?? (await this.#startRenderer(ready));
      renderer.process.send(request);
      const answer = await renderer.process.receive(millisMax);
      renderer.renders += 1;
      if (renderer.renders < RENDERS_MAX && !isOutOfMemory(answer)) this.#idle.push(renderer);
      else renderer.process.kill();
      return resultOf(answer);
    });
  }

  #prepared(): Promise<Ready> {
    this.#ready ??= this.#prepare().catch((error: unknown) => {
      // Somebody may install what is missing meanwhile.
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #prepare(): Promise<Ready> {
    const {python, environmentFolder, useBubblewrap} = this.#options;
    const environment = await pythonEnvironment({python, folder: environmentFolder});
    const command = {program: environment.program, args: []};
    const isWrapped = useBubblewrap && (await canWrap(command, environment.homes));
    return {environment, isWrapped};
  }

  async #startRenderer(ready: Ready): Promise<Renderer> {
    const folders = [this.#options.repositoriesFolder];
    const process = this.#start(ready, 'templates.py', folders);
    process.send({memory_bytes_max: this.#options.memoryBytesMax, folders});
    resultOf(await process.receive(START_MILLIS_MAX));
    return {process, renders: 0};
  }

  async #once(folder: string, request: Json, millisMax: number): Promise<Json> {
    const ready = await this.#prepared();
    return this.#transforms.run(async () => {
      const folders = [folder];
      const process = this.#start(ready, 'transform.py', folders);
      try {
        process.send({
          memory_bytes_max: this.#options.memoryBytesMax,
          cpu_seconds_max: Math.ceil(millisMax / 1000) + 1,
          folders,
        });
        process.send(request);
        resultOf(await process.receive(START_MILLIS_MAX));
        return resultOf(await process.receive(millisMax));
      } finally {
        process.kill();
      }
    });
  }

  #start({environment, isWrapped}: Ready, script: string, folders: readonly string[]): PythonProcess {
    const plain: PythonCommand = {
      program: environment.program,
      args: ['-I', '-B', '-c', START, WORKER, script],
    };
    const process = new PythonProcess(
      isWrapped ? wrapped(plain, [...environment.homes, WORKER, ...folders]) : plain,
    );
    this.#running.add(process);
    void process.ended.then(() => this.#running.delete(process));
    return process;
  }
}

/** Isolated mode knows no folder of scripts, so the process is told where ours are. */
const START =
  'import sys, runpy; sys.path.insert(0, sys.argv[1]); runpy.run_path(sys.argv[1] + "/" + sys.argv[2])';

const REASONS: Readonly<Record<string, TransformFailureReason>> = {missing: 'missing', memory: 'memory'};

const isOutOfMemory = (answer: Json): boolean => isJsonObject(answer) && answer.reason === 'memory';

function resultOf(answer: Json): Json {
  if (isJsonObject(answer) && 'ok' in answer) return answer.ok ?? null;
  const {error, reason} = answer as {readonly error: string; readonly reason: string};
  throw new TransformFailure(REASONS[reason] ?? 'code', error);
}
