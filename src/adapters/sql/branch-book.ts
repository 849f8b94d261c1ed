import {assert, must} from '../../base/assert.ts';
import type {Branch, BranchName} from '../../domain/branch/branch.ts';
import {branchNotFound} from '../../domain/errors.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Base, Lineage} from './lineage.ts';
import {GLOBAL_SERIAL, lineageOf} from './lineage.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';

export interface BranchRow {
  readonly serial: number;
  readonly id: string;
  readonly name: BranchName;
  readonly description: string;
  readonly createdAt: Instant;
  readonly syncWithGit: boolean;
}

/** The branches, where they stand, and when each was last written to: small, and kept in memory. */
export class BranchBook {
  readonly #rows = new Map<number, BranchRow>();
  readonly #byName = new Map<string, BranchRow>();
  readonly #bases = new Map<number, Base[]>();
  readonly #heads = new Map<number, number>();
  /** Branches that are deleted but whose rows are still being removed. */
  readonly leaving = new Set<number>();
  #revision = 0;

  static *load(): Work<BranchBook> {
    const book = new BranchBook();
    const rows = yield read(
      'SELECT id, uuid, name, description, created, sync, deleted FROM branch WHERE purged = 0',
      [],
    );
    for (const [serial, id, name, description, created, sync, deleted] of rows) {
      if (deleted !== 0) {
        book.leaving.add(serial as number);
        continue;
      }
      book.add({
        serial: serial as number,
        id: id as string,
        name: name as BranchName,
        description: description as string,
        createdAt: created as Instant,
        syncWithGit: sync === 1,
      });
    }
    const bases = yield read(
      'SELECT branch, since, parent, fork, settles FROM branch_base ORDER BY branch, since',
      [],
    );
    for (const [branch, since, parent, fork, settles] of bases) {
      book.addBase(branch as number, {
        since: since as Instant,
        parent: parent as number,
        fork: fork as Instant,
        settles: settles === 1,
      });
    }
    yield* book.#loadHeads();
    return book;
  }

  *#loadHeads(): Work<void> {
    for (const branch of this.#rows.keys()) {
      const head = (yield read('SELECT max(ts) FROM commits WHERE branch = ?1', [branch]))[0]?.[0] ?? 0;
      this.moveHead(branch, head as number);
      this.moveHead(GLOBAL_SERIAL, head as number);
    }
    const others = (yield read(`SELECT max(ts) FROM commits WHERE op = 'write.others'`, []))[0]?.[0] ?? 0;
    this.moveAllHeads(others as number);
  }

  /** Another one after anything here has changed. */
  get revision(): number {
    return this.#revision;
  }

  add(row: BranchRow): void {
    this.#revision += 1;
    this.#rows.set(row.serial, row);
    this.#byName.set(row.name, row);
  }

  addBase(branch: number, base: Base): void {
    this.#revision += 1;
    const list = this.#bases.get(branch);
    if (list === undefined) this.#bases.set(branch, [base]);
    else list.push(base);
  }

  remove(row: BranchRow): void {
    this.#revision += 1;
    this.#rows.delete(row.serial);
    this.#byName.delete(row.name);
    this.leaving.add(row.serial);
  }

  moveHead(branch: number, instant: number): void {
    if (instant <= (this.#heads.get(branch) ?? 0)) return;
    this.#heads.set(branch, instant);
    this.#revision += 1;
  }

  moveAllHeads(instant: number): void {
    for (const branch of this.#rows.keys()) this.moveHead(branch, instant);
    this.moveHead(GLOBAL_SERIAL, instant);
  }

  headOf(branch: number): number {
    return this.#heads.get(branch) ?? 0;
  }

  find(name: string): BranchRow | undefined {
    const row = this.#byName.get(name);
    return row?.serial === GLOBAL_SERIAL ? undefined : row;
  }

  isTaken(name: string): boolean {
    return this.#byName.has(name);
  }

  byName(name: string): BranchRow {
    const row = this.find(name);
    if (row === undefined) throw branchNotFound(name);
    return row;
  }

  bySerial(serial: number): BranchRow | undefined {
    return this.#rows.get(serial);
  }

  rows(): readonly BranchRow[] {
    return [...this.#rows.values()].filter(row => row.serial !== GLOBAL_SERIAL);
  }

  basesOf(branch: number): readonly Base[] {
    return this.#bases.get(branch) ?? [];
  }

  baseOf(branch: number): Base | undefined {
    return this.basesOf(branch).at(-1);
  }

  /** From when on the branch's own word counts as a change. */
  settledAt(branch: number): Instant {
    return must(
      this.basesOf(branch).findLast(base => base.settles),
      'the birth of a branch',
    ).since;
  }

  childrenOf(branch: number): readonly BranchRow[] {
    return this.rows().filter(row => this.basesOf(row.serial).some(base => base.parent === branch));
  }

  lineage(branch: number, until: Instant): Lineage {
    return lineageOf(
      branch,
      until,
      serial => this.basesOf(serial),
      serial => this.headOf(serial),
    );
  }

  describe(row: BranchRow, hasSchemaChanges: boolean): Branch {
    const base = this.baseOf(row.serial);
    const origin = base === undefined ? undefined : this.#rows.get(base.parent);
    assert(base === undefined || origin !== undefined, `branch ${row.name} stands on a branch that is gone`);
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      isDefault: base === undefined,
      origin: origin?.name,
      forkedAt: base?.fork ?? row.createdAt,
      createdAt: row.createdAt,
      syncWithGit: row.syncWithGit,
      hasSchemaChanges,
    };
  }
}
