import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {TaskQueue} from '../../ports/task-queue.ts';
import {generateTask} from '../artifact/artifact-workflows.ts';
import {DEFINITION} from '../artifact/definition.ts';

interface Planned {
  readonly targets: Set<NodeId>;
  readonly reasons: Set<string>;
  /** Why all of them are to be made; empty when only some are. */
  readonly reasonsForAll: Set<string>;
}

const REASONS_MAX = 3;

/** Which artifacts of one branch are to be made again, and why. */
export class GenerationPlan {
  readonly #planned = new Map<NodeId, Planned>();

  /** No targets stands for all. */
  add(definition: NodeId, reason: string, targets?: readonly NodeId[]): void {
    const planned = this.#planned.get(definition) ?? {
      targets: new Set<NodeId>(),
      reasons: new Set<string>(),
      reasonsForAll: new Set<string>(),
    };
    this.#planned.set(definition, planned);
    if (targets === undefined) planned.reasonsForAll.add(reason);
    else {
      planned.reasons.add(reason);
      for (const target of targets) planned.targets.add(target);
    }
  }

  async enqueue(tasks: TaskQueue, snapshot: Snapshot, branch: BranchName): Promise<number> {
    let count = 0;
    for (const [definition, {targets, reasons: reasonsForSome, reasonsForAll}] of this.#planned) {
      const node = await snapshot.node(definition);
      if (node?.kind !== DEFINITION) continue;
      const isForAll = reasonsForAll.size > 0;
      const reasons = isForAll ? reasonsForAll : reasonsForSome;
      const shown = [...reasons].slice(0, REASONS_MAX).join('; ');
      const left = reasons.size - REASONS_MAX;
      const reason = left > 0 ? `${shown}; and ${left} more` : shown;
      const task = {branch, definition, targets: isForAll ? null : [...targets], reason};
      await tasks.enqueue(generateTask(task, String(node.value('name'))));
      count += 1;
    }
    return count;
  }
}
