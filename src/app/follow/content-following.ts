import type {GraphStore} from '../../ports/graph-store.ts';
import type {Following} from './followed-store.ts';

/** Following is on while there is a repository: everything that follows from commits begins with one. */
export class ContentFollowing implements Following {
  isOn = false;

  async look(store: Pick<GraphStore, 'snapshot' | 'defaultBranch'>): Promise<void> {
    const head = await store.snapshot({branch: store.defaultBranch});
    const {found} = await head.query({kind: 'CoreGenericRepository', page: {limit: 1, offset: 0}});
    this.isOn = found.length > 0;
  }
}
