/**
 * What is there at once, or comes later. Work that hardly ever waits goes on in the same turn when there is nothing to
 * wait for: `await` would give up the thread at every step.
 */
export type Awaitable<T> = T | Promise<T>;

export function whenReady<T, R>(value: Awaitable<T>, then: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}

export function allReady<T>(values: readonly Awaitable<T>[]): Awaitable<readonly T[]> {
  return values.some(value => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}

/** As `try` and `catch`, whether the body fails at once or later. */
export function attempt<T>(body: () => Awaitable<T>, onFailure: (error: unknown) => T): Awaitable<T> {
  try {
    const value = body();
    return value instanceof Promise ? value.catch(onFailure) : value;
  } catch (error) {
    return onFailure(error);
  }
}
