import type {GraphStore} from '../../ports/graph-store.ts';
import type {Following} from './followed-store.ts';

/** Another server may have added the first repository: while there is none, who writes has it looked for this often. */
const LOOK_MILLIS = 5_000;

/** Following is on while there is a repository: everything that follows from commits begins with one. */
export class ContentFollowing implements Following {
  readonly #store: Pick<GraphStore, 'snapshot' | 'defaultBranch'>;
  #isOn = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<GraphStore, 'snapshot' | 'defaultBranch'>) {
    this.#store = store;
  }

  get isOn(): boolean {
    if (!this.#isOn && performance.now() - this.#lookedAt > LOOK_MILLIS) {
      // A look that fails is followed by another.
      void this.look().catch(() => undefined);
    }
    return this.#isOn;
  }

  async look(): Promise<void> {
    this.#lookedAt = performance.now();
    const head = await this.#store.snapshot({branch: this.#store.defaultBranch});
    const {found} = await head.query({kind: 'CoreGenericRepository', page: {limit: 1, offset: 0}});
    this.#isOn = found.length > 0;
  }
}
