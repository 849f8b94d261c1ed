import type {Condition} from '../../domain/query/node-query.ts';
import type {GraphLayout, KindLayout} from './layout.ts';
import type {Lineage} from './lineage.ts';

/** About how many tables a condition on objects of a kind names when it is written as SQL. */
export function conditionWeight(
  condition: Condition,
  kind: KindLayout,
  layout: GraphLayout,
  {any: levels}: Lineage,
): number {
  const weightOf = (item: Condition, subject: KindLayout): number => {
    switch (item.is) {
      case 'all':
      case 'any':
        return item.of.reduce((sum, of) => sum + weightOf(of, subject), 0);
      case 'not':
        return weightOf(item.of, subject);
      case 'anyAttribute':
      case 'metadata':
        return subject.isMixed ? subject.slots.size * levels.length : 1;
      case 'related': {
        const relationship = subject.relationships.get(item.relationship);
        if (relationship === undefined) return 0;
        let weight = levels.length * (levels.length + 2);
        if (item.where !== undefined) {
          for (const peer of layout.members(relationship.shape.peer)) weight += weightOf(item.where, peer);
        }
        return weight;
      }
      default:
        return subject.isMixed ? levels.length : 1;
    }
  };
  return weightOf(condition, kind);
}
