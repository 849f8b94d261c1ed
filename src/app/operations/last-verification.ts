import type {Instant} from '../../domain/time/instant.ts';
import type {VerifyReport} from '../../ports/graph-store.ts';

export interface Integrity {
  /** As of when everything was proven; absent until somebody has this process do it. */
  readonly verifiedAt: Instant | undefined;
  readonly problems: number;
}

/** What the last proof of all that is stored has found. */
export class LastVerification {
  #integrity: Integrity = {verifiedAt: undefined, problems: 0};

  get integrity(): Integrity {
    return this.#integrity;
  }

  record({problems}: VerifyReport, at: Instant): void {
    this.#integrity = {verifiedAt: at, problems: problems.length};
  }
}
