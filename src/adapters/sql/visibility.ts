import type {Level} from './lineage.ts';
import type {Parameters} from './statement.ts';

/** True when a nearer branch has its own word on the node, be it a tombstone. */
export function hiddenVersion(nearer: readonly Level[], node: string, parameters: Parameters): string {
  return nearer
    .map(level => {
      const until = parameters.bind(level.until);
      return ` AND NOT EXISTS (SELECT 1 FROM ver m WHERE m.node = ${node} AND m.branch = ${parameters.bind(level.branch)}
        AND m.t > ${until} AND m.f <= ${until} AND m.del < 2)`;
    })
    .join('');
}

/** The condition that `alias` is the version of `node` which the level shows. */
export function versionAt(level: Level, alias: string, node: string, parameters: Parameters): string {
  const until = parameters.bind(level.until);
  return `${alias}.node = ${node} AND ${alias}.branch = ${parameters.bind(level.branch)} AND ${alias}.t > ${until}
    AND ${alias}.f <= ${until}`;
}

/** A row of an edge table that a level shows, with the table it stands in. */
export interface EdgeArm {
  readonly table: 'edge' | 'edgeh';
  /** Conditions on the alias `e`, the masks of nearer levels included; `src` and `rel` are the caller's. */
  readonly where: string;
}

/** Where the visible edges of a lineage stand: every arm together, without an edge that a nearer level hides. */
export function edgeArms(levels: readonly Level[], parameters: Parameters): readonly EdgeArm[] {
  const arms: EdgeArm[] = [];
  for (const [depth, level] of levels.entries()) {
    const branch = parameters.bind(level.branch);
    const until = parameters.bind(level.until);
    const hidden = levels
      .slice(0, depth)
      .map(nearer => hiddenEdge(nearer, parameters))
      .join('');
    arms.push({table: 'edge', where: `e.branch = ${branch} AND e.f <= ${until} AND e.del = 0${hidden}`});
    if (!level.isCurrent) {
      arms.push({
        table: 'edgeh',
        where: `e.branch = ${branch} AND e.f <= ${until} AND e.t > ${until} AND e.del = 0${hidden}`,
      });
    }
  }
  return arms;
}

function hiddenEdge(nearer: Level, parameters: Parameters): string {
  const branch = parameters.bind(nearer.branch);
  const until = parameters.bind(nearer.until);
  const same = `m.src = e.src AND m.rel = e.rel AND m.branch = ${branch} AND m.dst = e.dst AND m.f <= ${until}`;
  const open = ` AND NOT EXISTS (SELECT 1 FROM edge m WHERE ${same})`;
  return nearer.isCurrent
    ? open
    : `${open} AND NOT EXISTS (SELECT 1 FROM edgeh m WHERE ${same} AND m.t > ${until})`;
}
