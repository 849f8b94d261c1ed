/**
 * Whoever commits holds it from before it looks until its commit is visible: so instants rise in the order of commits,
 * and a body decides on the state that it leaves, whatever server it runs on.
 */
export interface CommitLock {
  /** A statement that waits for it; it is given back by the end of the transaction. */
  readonly take: string;
}

/** Any number that no other program on the same database takes for its own. */
const KEY = 7_233_960_123;

export const advisoryLock: CommitLock = {take: `SELECT pg_advisory_xact_lock(${KEY})`};

/** For engines without advisory locks. */
export const rowLock: CommitLock = {take: `SELECT value FROM meta WHERE key = 'deployment_id' FOR UPDATE`};

/** The lock of an engine, from what it calls itself. */
export const lockOf = (version: string): CommitLock =>
  /cockroach|yugabyte|-YB-/i.test(version) ? rowLock : advisoryLock;
