import {randomFillSync} from 'node:crypto';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Clock} from '../../ports/clock.ts';
import type {Ids} from '../../ports/ids.ts';

/** Ids of one millisecond are told apart by a counter of this many values; then the next millisecond is borrowed. */
const COUNTER_VALUES = 0x1000;
const TAIL_BYTES = 8;
/** Chance is asked for in advance: asking takes ten times as long as an id does. */
const TAILS_AHEAD = 512;

/** UUIDs of version 7: a later one sorts later, also within a millisecond and when the clock goes back. */
export function timeOrderedIds(clock: Clock): Ids {
  let millis = 0;
  let counter = 0;
  const tails = Buffer.alloc(TAILS_AHEAD * TAIL_BYTES);
  let used = tails.length;
  function tail(): string {
    if (used === tails.length) {
      randomFillSync(tails);
      used = 0;
    }
    const start = used;
    used += TAIL_BYTES;
    tails[start] = (tails[start]! & 0x3f) | 0x80;
    return tails.toString('hex', start, used);
  }
  return {
    nodeId() {
      const now = Math.floor(clock.nowMicros() / 1000);
      if (now > millis) {
        millis = now;
        counter = 0;
      } else {
        counter += 1;
        if (counter === COUNTER_VALUES) {
          millis += 1;
          counter = 0;
        }
      }
      const time = millis.toString(16).padStart(12, '0');
      const random = tail();
      const text = `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${random.slice(0, 4)}-${random.slice(4)}`;
      return text as NodeId;
    },
  };
}
