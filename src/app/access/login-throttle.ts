const FREE_FAILURES = 10;
const FORGOTTEN_AFTER_SECONDS = 900;
const WAIT_SECONDS_MAX = 900;
const REMEMBERED_MAX = 10_000;

interface Failures {
  readonly count: number;
  readonly lastSeconds: number;
}

/**
 * Slows down those who guess passwords: from the tenth failure on, each one doubles the wait for that account from
 * that address. Other accounts, and the same account from elsewhere, do not notice.
 */
export class LoginThrottle {
  readonly #failures = new Map<string, Failures>();

  /** Seconds to wait before the next attempt; 0 when it may be made now. */
  waitSeconds(account: string, address: string, nowSeconds: number): number {
    const failures = this.#current(keyOf(account, address), nowSeconds);
    if (failures === undefined || failures.count < FREE_FAILURES) return 0;
    const wait = Math.min(2 ** (failures.count - FREE_FAILURES + 1), WAIT_SECONDS_MAX);
    return Math.max(0, failures.lastSeconds + wait - nowSeconds);
  }

  failed(account: string, address: string, nowSeconds: number): void {
    const key = keyOf(account, address);
    const count = (this.#current(key, nowSeconds)?.count ?? 0) + 1;
    this.#failures.delete(key);
    if (this.#failures.size >= REMEMBERED_MAX) this.#failures.delete(this.#failures.keys().next().value!);
    this.#failures.set(key, {count, lastSeconds: nowSeconds});
  }

  succeeded(account: string, address: string): void {
    this.#failures.delete(keyOf(account, address));
  }

  #current(key: string, nowSeconds: number): Failures | undefined {
    const failures = this.#failures.get(key);
    if (failures === undefined) return undefined;
    const age = nowSeconds - failures.lastSeconds;
    const kept = failures.count < FREE_FAILURES ? FORGOTTEN_AFTER_SECONDS : 2 * FORGOTTEN_AFTER_SECONDS;
    if (age <= kept) return failures;
    this.#failures.delete(key);
    return undefined;
  }
}

const NAME_CHARACTERS_MAX = 200;

const keyOf = (account: string, address: string): string =>
  `${address} ${account.slice(0, NAME_CHARACTERS_MAX)}`;
