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

/** One of several problems of something that a request had run, with its place in it. */
export interface PlacedProblem {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly {readonly line: number; readonly column: number}[];
}

/** What a request had run has failed, in one or more places. */
export class SeveralProblems extends HttpProblem {
  override name = 'SeveralProblems';
  readonly problems: readonly PlacedProblem[];

  constructor(status: number, problems: readonly PlacedProblem[]) {
    super(status, problems.map(({message}) => message).join(', '));
    this.problems = problems;
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
