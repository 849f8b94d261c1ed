import type {Yield} from '../graphql/subscription/stream.ts';
import {textFrame} from './frame.ts';
import type {Protocol} from './protocol.ts';

const BYTES_TOGETHER_MAX = 65_536;
const SHARED_ID_CHARACTERS_MAX = 4;
const SHARED_MAX = 8;

/**
 * What a yield is on the wire, in pieces of a bounded size. Clients that count their operations give the same ids, so
 * what was made for one is kept for the others; ids that are made up at random are nobody else's.
 */
export function framesOf(protocol: Protocol, id: string, {bodies, made}: Yield): readonly Buffer[] {
  const isShared = id.length <= SHARED_ID_CHARACTERS_MAX;
  const key = `${protocol.name} ${id}`;
  const known = isShared ? made.get(key) : undefined;
  if (known !== undefined) return [known];
  const frames = bodies.map(body => textFrame(protocol.data(id, body)));
  const bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
  if (bytes > BYTES_TOGETHER_MAX) return frames;
  const all = frames.length === 1 ? frames[0]! : Buffer.concat(frames, bytes);
  if (isShared && made.size < SHARED_MAX) made.set(key, all);
  return [all];
}
