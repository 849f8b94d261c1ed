import {retire} from '../ids.ts';
import {problem, type SchemaProblem} from '../problem.ts';
import {type KindDefinition, kindName, type SchemaSource} from '../source.ts';

/** A source while a document is laid onto it. Kinds are replaced, never edited in place. */
export class SourceEdit {
  readonly kinds: Map<string, KindDefinition>;
  readonly problems: SchemaProblem[] = [];
  readonly #before: SchemaSource;
  #retired: SchemaSource['retired'];

  constructor(source: SchemaSource) {
    this.#before = source;
    this.kinds = new Map(source.kinds);
    this.#retired = source.retired;
  }

  get retired(): SchemaSource['retired'] {
    return this.#retired;
  }

  put(definition: KindDefinition): void {
    this.kinds.set(kindName(definition), definition);
  }

  remove(kind: string): void {
    if (this.kinds.delete(kind)) this.retire(kind);
  }

  retire(key: string): void {
    this.#retired = retire(this.#retired, key);
  }

  refuse(path: string, message: string): void {
    this.problems.push(problem(path, message));
  }

  /** The very source it began from when nothing changed. */
  result(): SchemaSource {
    const before = this.#before.kinds;
    const same =
      before.size === this.kinds.size && [...this.kinds].every(([name, kind]) => before.get(name) === kind);
    return same ? this.#before : {kinds: this.kinds, retired: this.#retired};
  }
}
