#!/usr/bin/env node
import {CommanderError} from 'commander';
import {CLI_EXIT, CommandFailed} from './exit-codes.ts';
import {createProgram} from './program.ts';

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCodeFor(error);
}

function exitCodeFor(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? CLI_EXIT.done.code : CLI_EXIT.usage.code;
  if (error instanceof CommandFailed) {
    if (error.message !== '') process.stderr.write(`trellis: ${error.message}\n`);
    return error.exitCode;
  }
  throw error;
}
