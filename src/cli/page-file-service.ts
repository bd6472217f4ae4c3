import process from 'node:process';
import type { Command } from 'commander';
import { CommandError } from '../core/errors.js';
import { createGraphqlClient, type SendOperation } from '../transfer/page-file/graphql-client.js';
import { describeProblems, PageFileError } from '../transfer/page-file/page-file.js';
import { runWithSettings } from '../server/process.js';
import { print } from './output/print.js';

/** What the commands share that talk to a service by its API, as a client anywhere does. */

export const addUrlOption = (command: Command): Command =>
  command.option('--url <url>', 'where the service is; without it ALL_CLEAR_URL, or http://localhost:3000');

/** The token is a variable of the environment alone: other users of the machine see command lines. */
export function connect(option: string | undefined): SendOperation {
  const url = option ?? process.env.ALL_CLEAR_URL ?? 'http://localhost:3000';
  const token = process.env.ALL_CLEAR_TOKEN;
  if (!token) throw new CommandError('Set ALL_CLEAR_TOKEN to a token of an OWNER of the page.\n');
  if (!URL.canParse(url)) throw new CommandError(`${url} is not a URL.\n`);
  return createGraphqlClient(url, token);
}

/** Runs work that returns the exit code. What it refuses is printed, and the exit code is 1. */
export const runAsClient = (file: string, work: () => Promise<0 | 1 | 2>): Promise<void> =>
  runWithSettings(async () => {
    try {
      process.exitCode = await work();
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof PageFileError)) throw error;
      await print(error instanceof PageFileError ? describeProblems(file, error) : error.message, process.stderr);
      process.exitCode = 1;
    }
  });
