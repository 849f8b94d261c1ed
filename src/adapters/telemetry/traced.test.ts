import {expect, test} from 'vitest';
import {NO_TRACER, type Tracer} from '../../ports/tracer.ts';
import {traced} from './traced.ts';

class Thing {
  readonly #secret = 7;
  readonly size = 3;

  async read(add: number): Promise<number> {
    return this.#secret + add;
  }
}

test('each call of a traced thing is a span, and answers what it would have answered', async () => {
  const spans: string[] = [];
  const tracer: Tracer = {
    ...NO_TRACER,
    isOn: true,
    span(name, start, body) {
      spans.push(name);
      return NO_TRACER.span(name, start, body);
    },
  };
  const thing = traced(new Thing(), 'thing', tracer);
  expect([await thing.read(1), thing.size]).toEqual([8, 3]);
  expect(spans).toEqual(['thing read']);
});

test('while tracing is off a traced thing is the thing itself', () => {
  const thing = new Thing();
  expect(traced(thing, 'thing', NO_TRACER)).toBe(thing);
});
