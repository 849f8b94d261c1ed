import type {ServiceFamily} from '../bench.ts';
import type {Figure} from '../measure.ts';
import {median} from '../measure.ts';
import {paceSeconds} from '../pace.ts';
import {load, probe} from '../peers/client.ts';
import {Arena, type Contender} from '../peers/contenders.ts';
import {type PeerQuestion, peerQuestions} from '../peers/questions.ts';
import {processorMicros} from '../processor.ts';

const WRITES_PER_SECOND = 20;
const WARM_UP_SECONDS = 1;
/** For each second that a figure is measured. */
const TURNS = 2;
/** A turn is long enough for some answers even of those who are slow. */
const TURN_SECONDS = {least: 1, most: 8};
const ANSWERS_PER_TURN = 8;

/** The same questions to programs without versions, on the same data, over HTTP, in turns. */
export const peers: ServiceFamily = {
  name: 'peers',
  on: 'service',
  async run({folder, size}) {
    const arena = await Arena.open(folder, size);
    const figures: Figure[] = [];
    try {
      const questions = peerQuestions(size);
      for (const question of questions) {
        for (const {served, headers, dialect} of arena.contenders) {
          await probe(served.address, headers, question, question.ask[dialect]);
        }
      }
      for (const question of questions) figures.push(...(await turns(question, arena.contenders)));
    } finally {
      await arena.close();
    }
    return figures;
  },
};

/** All take a turn, then all the next, so that whatever else the machine does falls on everybody. */
async function turns(question: PeerQuestion, contenders: readonly Contender[]): Promise<readonly Figure[]> {
  const taken = [];
  for (const contender of contenders) {
    const {served, headers, dialect} = contender;
    const ask = question.ask[dialect];
    const first = await load({address: served.address, headers, question, ask, seconds: WARM_UP_SECONDS});
    const needed = Math.ceil((ANSWERS_PER_TURN * first.seconds) / Math.max(1, first.answers));
    const seconds = Math.min(TURN_SECONDS.most, Math.max(TURN_SECONDS.least, needed));
    taken.push({contender, seconds, rates: [] as number[], spent: {micros: 0, answers: 0}});
  }
  for (let turn = 0; turn < TURNS * paceSeconds(); turn += 1) {
    for (const {contender, seconds, rates, spent} of taken) {
      const {served, headers, dialect, pids} = contender;
      const before = processorMicros(pids);
      const asked = (put: PeerQuestion) => ({
        address: served.address,
        headers,
        question: put,
        ask: put.ask[dialect],
        seconds,
      });
      const {meanwhile} = question;
      const [done] = await Promise.all([
        load(asked(question)),
        ...(meanwhile === undefined ? [] : [load({...asked(meanwhile), perSecondMax: WRITES_PER_SECOND})]),
      ]);
      rates.push(done.answers / done.seconds);
      spent.micros += processorMicros(pids) - before;
      spent.answers += done.answers;
    }
  }
  return taken.flatMap(({contender: {who}, rates, spent}) => {
    const named = (measure: 'speed' | 'processor') => ({question: question.name, who, measure});
    return [
      {
        name: `peers, ${question.name}: ${who}`,
        unit: 'perSecond',
        value: median(rates),
        beside: named('speed'),
      },
      {
        name: `peers, ${question.name}, processor: ${who}`,
        unit: 'micros',
        value: spent.micros / spent.answers,
        beside: named('processor'),
      },
    ] satisfies Figure[];
  });
}
