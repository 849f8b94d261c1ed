/** Why the process ended, for scripts that start it. */
export const EXIT = {
  stopped: {code: 0, why: 'it was told to stop, and finished what was running'},
  fault: {code: 1, why: 'an unexpected fault, or requests that did not finish in time'},
  settings: {code: 2, why: 'settings that cannot be used'},
  dataFolder: {code: 3, why: 'the data folder cannot be used'},
  address: {code: 4, why: 'the address cannot be listened on'},
  database: {code: 5, why: 'the database server cannot be used'},
} as const;

/** A start that cannot go on; the message is all the operator needs. */
export class StartRefused extends Error {
  override name = 'StartRefused';
  readonly exitCode: number;

  constructor(exit: (typeof EXIT)[keyof typeof EXIT], message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exit.code;
  }
}
