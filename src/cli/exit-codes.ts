/** How a command ended, for scripts that call it. */
export const CLI_EXIT = {
  done: {code: 0, why: 'it is done'},
  failed: {code: 1, why: 'the service refused it, or it failed'},
  usage: {code: 2, why: 'the command line cannot be understood'},
  unreachable: {code: 3, why: 'the service cannot be reached'},
  problems: {code: 4, why: 'the check found problems, or the branch has conflicts'},
} as const;

/** Ends a command with a sentence for whoever called it. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
  readonly exitCode: number;

  constructor(exit: (typeof CLI_EXIT)[keyof typeof CLI_EXIT], message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exit.code;
  }
}
