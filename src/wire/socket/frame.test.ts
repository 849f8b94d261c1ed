import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import * as ws from 'ws';
import {textFrame} from './frame.ts';

test.each([0, 1, 125, 126, 65_535, 65_536, 200_000])(
  'a text of %i bytes is read as it was written',
  async length => {
    const text = 'é'.repeat(length / 2) + 'x'.repeat(length % 2);
    const {promise, resolve} = Promise.withResolvers<string>();
    // The receiver is not among the declared types.
    const {Receiver} = ws as unknown as {Receiver: new (options: object) => PassThrough};
    const receiver = new Receiver({isServer: false});
    receiver.on('message', (data: Buffer) => resolve(String(data)));
    const wire = new PassThrough();
    wire.pipe(receiver);
    wire.write(textFrame(text));
    expect(await promise).toBe(text);
  },
);
