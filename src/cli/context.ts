import type {Command} from 'commander';
import {Client} from './client.ts';
import {openTerminal, type Terminal} from './terminal.ts';

interface GlobalOptions {
  readonly address: string;
  readonly token?: string;
  readonly username?: string;
  readonly password?: string;
  readonly json?: boolean;
}

export interface CommandContext {
  readonly client: Client;
  readonly terminal: Terminal;
}

/** What every command works with, from the options that all share. */
export function contextOf(command: Command): CommandContext {
  const {json = false, ...options} = command.optsWithGlobals<GlobalOptions>();
  return {client: new Client(options), terminal: openTerminal(json)};
}

/** Adds the examples of a command to its help. */
export const examples = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map(line => `  $ trellis ${line}`).join('\n')}\n`;
