/**
 * The layout of the versioned graph. Every interval is `[f, t)` in microseconds; open rows end at FOREVER.
 *
 * - `ver`: one row per version of a node on a branch. `del`: 0 live, 1 tombstone (hides the origin's), 2 a part
 *   (the attributes of a node that live on another branch than the node itself).
 * - `ix` holds the open index entries, `ixh` the closed ones; `sk` is the default order key of the node, so that
 *   filter, default order and page are one range scan. `uniq` holds the open keys of the unique constraints, its
 *   primary key decides races; closed keys go to `ixh` too.
 * - `edge` and `edgeh`: open and closed half-edges, one row for each end, so that peers are always a prefix scan.
 * - `branch`: a deleted branch keeps its row, so that its number is never given again; `purged` once its rows are gone.
 * - `choice`: the side chosen in a conflict of a branch, with the state of both sides it was chosen for.
 * - `branch_base`: where a branch stands, and since when: a row at its birth, at each merge into its origin and at each
 *   rebase. `settles` where everything before is its origin's now; `kinds` where that moved schema records.
 * - `kind_ver`: the schema of a branch, one record per kind. `commits`: the change log. Their texts are sealed with a
 *   checksum, as documents have one beside them in `crc`.
 * - `task`: work in the background. `attempt` is the fence: a worker speaks for the attempt it was given and no other.
 *   `hold` is the key that keeps the same work from being queued twice, null once it is free; `holds` says until when.
 */
export const FORMAT = 2;

/** What branches other than the default one say, by kind: a count subtracts what they hide of their origin. */
export const OWN_WORDS = 'CREATE INDEX ver_own ON ver (branch, kind, t, f, del, node) WHERE branch > 2';

export const TASK_TABLES: readonly string[] = [
  `CREATE TABLE task (id TEXT PRIMARY KEY, workflow TEXT NOT NULL, title TEXT NOT NULL, input TEXT NOT NULL,
     branch TEXT, account TEXT, tags TEXT NOT NULL, priority INTEGER NOT NULL, state TEXT NOT NULL,
     due INTEGER NOT NULL, created INTEGER NOT NULL, started INTEGER, updated INTEGER NOT NULL, ended INTEGER,
     attempt INTEGER NOT NULL, failures INTEGER NOT NULL, crashes INTEGER NOT NULL, attempts_max INTEGER NOT NULL,
     lease INTEGER NOT NULL, worker TEXT, cancel INTEGER NOT NULL, progress REAL, result TEXT, problem TEXT,
     logs INTEGER NOT NULL, hold TEXT, holds TEXT) WITHOUT ROWID`,
  'CREATE UNIQUE INDEX task_hold ON task (hold)',
  `CREATE INDEX task_ready ON task (priority, due, id) WHERE state = 'waiting'`,
  `CREATE INDEX task_leased ON task (lease, id) WHERE state = 'running'`,
  'CREATE INDEX task_ended ON task (ended, id) WHERE ended IS NOT NULL',
  'CREATE INDEX task_branch ON task (branch, id)',
  `CREATE TABLE task_node (node TEXT NOT NULL, task TEXT NOT NULL, kind TEXT NOT NULL,
     PRIMARY KEY (node, task)) WITHOUT ROWID`,
  'CREATE INDEX task_node_task ON task_node (task)',
  `CREATE TABLE task_log (task TEXT NOT NULL, serial INTEGER NOT NULL, at INTEGER NOT NULL, severity TEXT NOT NULL,
     message TEXT NOT NULL, PRIMARY KEY (task, serial)) WITHOUT ROWID`,
];

export const TABLES: readonly string[] = [
  'CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID',
  `CREATE TABLE branch (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
     created INTEGER NOT NULL, sync INTEGER NOT NULL, deleted INTEGER NOT NULL, purged INTEGER NOT NULL)`,
  'CREATE UNIQUE INDEX branch_name ON branch (name) WHERE deleted = 0',
  `CREATE TABLE branch_base (branch INTEGER NOT NULL, since INTEGER NOT NULL, parent INTEGER NOT NULL,
     fork INTEGER NOT NULL, settles INTEGER NOT NULL, kinds INTEGER NOT NULL,
     PRIMARY KEY (branch, since)) WITHOUT ROWID`,
  'CREATE TABLE name (id INTEGER PRIMARY KEY, space TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (space, key))',
  `CREATE TABLE slot (kind INTEGER NOT NULL, attribute TEXT NOT NULL, slot INTEGER NOT NULL,
     PRIMARY KEY (kind, attribute)) WITHOUT ROWID`,
  'CREATE TABLE node (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL UNIQUE)',
  `CREATE TABLE ver (vid INTEGER PRIMARY KEY, node INTEGER NOT NULL, branch INTEGER NOT NULL, t INTEGER NOT NULL,
     f INTEGER NOT NULL, kind INTEGER NOT NULL, del INTEGER NOT NULL, crc INTEGER NOT NULL, sk TEXT NOT NULL,
     doc TEXT NOT NULL)`,
  'CREATE UNIQUE INDEX ver_at ON ver (node, branch, t, f, del, kind)',
  OWN_WORDS,
  `CREATE TABLE ix (branch INTEGER NOT NULL, attr INTEGER NOT NULL, val TEXT NOT NULL, sk TEXT NOT NULL,
     node INTEGER NOT NULL, f INTEGER NOT NULL, PRIMARY KEY (branch, attr, val, sk, node)) WITHOUT ROWID`,
  `CREATE TABLE ixh (branch INTEGER NOT NULL, attr INTEGER NOT NULL, val TEXT NOT NULL, sk TEXT NOT NULL,
     node INTEGER NOT NULL, t INTEGER NOT NULL, f INTEGER NOT NULL,
     PRIMARY KEY (branch, attr, val, sk, node, t)) WITHOUT ROWID`,
  `CREATE TABLE uniq (branch INTEGER NOT NULL, con INTEGER NOT NULL, key TEXT NOT NULL, node INTEGER NOT NULL,
     f INTEGER NOT NULL, PRIMARY KEY (branch, con, key)) WITHOUT ROWID`,
  `CREATE TABLE edge (src INTEGER NOT NULL, rel INTEGER NOT NULL, branch INTEGER NOT NULL, dst INTEGER NOT NULL,
     f INTEGER NOT NULL, del INTEGER NOT NULL, props TEXT, PRIMARY KEY (src, rel, branch, dst)) WITHOUT ROWID`,
  `CREATE TABLE edgeh (src INTEGER NOT NULL, rel INTEGER NOT NULL, branch INTEGER NOT NULL, dst INTEGER NOT NULL,
     t INTEGER NOT NULL, f INTEGER NOT NULL, del INTEGER NOT NULL, props TEXT,
     PRIMARY KEY (src, rel, branch, dst, t)) WITHOUT ROWID`,
  `CREATE TABLE kind_ver (branch INTEGER NOT NULL, kind TEXT NOT NULL, t INTEGER NOT NULL, f INTEGER NOT NULL,
     del INTEGER NOT NULL, doc TEXT NOT NULL, PRIMARY KEY (branch, kind, t)) WITHOUT ROWID`,
  `CREATE TABLE choice (branch INTEGER NOT NULL, conflict TEXT NOT NULL, side TEXT NOT NULL,
     fingerprint TEXT NOT NULL, PRIMARY KEY (branch, conflict)) WITHOUT ROWID`,
  `CREATE TABLE commits (ts INTEGER PRIMARY KEY, branch INTEGER NOT NULL, op TEXT NOT NULL, author TEXT,
     message TEXT NOT NULL, nodes INTEGER NOT NULL, edges INTEGER NOT NULL, kinds INTEGER NOT NULL, touched TEXT NOT NULL)`,
  'CREATE INDEX commits_branch ON commits (branch, ts)',
  'CREATE INDEX commits_kinds ON commits (ts, branch) WHERE kinds > 0',
  `CREATE INDEX commits_others ON commits (ts) WHERE op = 'write.others'`,
  ...TASK_TABLES,
];
