import type {StartedProcess} from '../process/start-process.ts';

/** Resolves when the writer has told of so many steps; fails when it ends before. */
export function told(writer: StartedProcess, steps: number): Promise<void> {
  const {promise, resolve, reject} = Promise.withResolvers<void>();
  writer.child.stdout!.on('data', () => {
    if (writer.stdout.split('.').length > steps) resolve();
  });
  writer.child.on('exit', () => reject(new Error(`The writer ended by itself: ${writer.stderr}`)));
  return promise;
}
