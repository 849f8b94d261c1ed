import type {BranchName} from '../../domain/branch/branch.ts';
import type {MergeDraft, MergeMatterOfBranch} from '../../ports/merge-store.ts';
import type {DraftWork} from '../sql/draft-work.ts';
import type {ForkMoves} from '../sql/fork-moves.ts';
import type {Connection} from './connection.ts';
import {SqliteDraft} from './sqlite-draft.ts';
import type {TaskDesk} from './task-desk.ts';

/** A draft that may also move the forks of branches. */
export class SqliteMergeDraft extends SqliteDraft implements MergeDraft {
  readonly #forks: ForkMoves;

  constructor(
    connection: Connection,
    work: DraftWork,
    branch: BranchName,
    message: string,
    tasks: TaskDesk,
    forks: ForkMoves,
  ) {
    super(connection, work, branch, message, tasks);
    this.#forks = forks;
  }

  matter(branch: BranchName): Promise<MergeMatterOfBranch> {
    return this.drive(this.#forks.matter(branch));
  }

  settle(branch: BranchName): Promise<void> {
    return this.drive(this.#forks.settle(branch));
  }

  rebase(): Promise<void> {
    return this.drive(this.#forks.rebase());
  }
}
