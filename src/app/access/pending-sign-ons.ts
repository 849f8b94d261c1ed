import {randomBytes} from 'node:crypto';
import type {SignOnSecrets} from '../../ports/identity-provider.ts';

/** Long enough to find one's second factor. */
const LIFETIME_SECONDS = 600;
const PENDING_MAX = 10_000;

export interface PendingSignOn {
  readonly provider: string;
  readonly redirectUri: string;
  readonly finalUrl: string;
  readonly secrets: SignOnSecrets;
}

/** Sign-ons whose browser is at the provider. Each comes back once, in time, or not at all. */
export class PendingSignOns {
  readonly #pending = new Map<string, PendingSignOn & {readonly untilSeconds: number}>();

  newState(): string {
    return randomBytes(32).toString('base64url');
  }

  add(state: string, pending: PendingSignOn, nowSeconds: number): void {
    for (const [old, {untilSeconds}] of this.#pending) {
      if (untilSeconds > nowSeconds && this.#pending.size < PENDING_MAX) break;
      this.#pending.delete(old);
    }
    this.#pending.set(state, {...pending, untilSeconds: nowSeconds + LIFETIME_SECONDS});
  }

  /** Undefined when the state is not ours, was used before, is too old, or is another provider's. */
  take(state: string, provider: string, nowSeconds: number): PendingSignOn | undefined {
    const pending = this.#pending.get(state);
    this.#pending.delete(state);
    if (pending === undefined || pending.provider !== provider) return undefined;
    return pending.untilSeconds > nowSeconds ? pending : undefined;
  }
}
