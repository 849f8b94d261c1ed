/** One place in a request that cannot be used, in the form that API clients of this kind expect. */
export interface RequestFlaw {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** A request that HTTP itself already refuses: the path, the body, a parameter. */
export class HttpProblem extends Error {
  override name = 'HttpProblem';
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** A request that does not fit what its route says of parameters and body. */
export class RequestInvalid extends Error {
  override name = 'RequestInvalid';
  readonly flaws: readonly RequestFlaw[];

  constructor(flaws: readonly RequestFlaw[]) {
    super(flaws.map(flawText).join(', '));
    this.flaws = flaws;
  }
}

export const flawText = (flaw: RequestFlaw) => `${flaw.loc.join('.')}: ${flaw.msg}`;
