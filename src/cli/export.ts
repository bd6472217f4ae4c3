import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { exportArchive } from '../transfer/archive/export-archive.js';
import { type LeftOut, renderLeftOut } from '../transfer/archive/left-out.js';
import { CommandError } from '../core/errors.js';
import type { CommandContext } from '../server/command-runner.js';
import { parsePageIds, requirePages } from './access-commands.js';
import { readPassphrase, secretsOption } from '../transfer/archive/passphrase.js';
import type { CommandEnvironment } from './command.js';

interface Options {
  page?: string[];
  audit?: boolean;
  secrets?: string;
}

export function define(command: Command, { run, resolvePath }: CommandEnvironment): void {
  command
    .description(
      'Writes pages with all that belongs to them to an archive, which allclear import reads, also while the service ' +
        'runs. docs/archive.md says what is in it.',
    )
    .argument('<archive>', 'a file that does not exist, which ends with .zip', text => parseName(text, resolvePath))
    .option('--page <ids>', 'only these pages, separated by commas', parsePageIds)
    .option('--audit', 'with the audit log')
    .option(
      secretsOption,
      'with webhooks, and what gives access to channels, alert sources and private pages, encrypted',
      resolvePath,
    )
    .action((archive: string, options: Options) =>
      run({ createsDatabase: false, run: context => exportTo(context, archive, options) }),
    );
}

function parseName(text: string, resolvePath: (path: string) => string): string {
  if (!text.endsWith('.zip'))
    throw new InvalidArgumentError('It must end with .zip. allclear static writes the pages as static files.');
  return resolvePath(text);
}

async function exportTo(
  { database, settings, progress }: CommandContext,
  archive: string,
  { page: pageIds, audit: hasAudit, secrets: file }: Options,
): Promise<string> {
  await requirePages(database, pageIds ?? null);
  const secrets = file === undefined ? null : { passphrase: readPassphrase(file), settings };
  if (existsSync(archive)) throw new CommandError(`There is a file ${archive}: name another one.\n`);
  let leftOut: LeftOut;
  const incomplete = `${archive}.incomplete`;
  try {
    const options = { pageIds: pageIds ?? null, hasAudit, secrets, report: progress };
    leftOut = await exportArchive(database, createWriteStream(incomplete, { mode: 0o600 }), options);
    await rename(incomplete, archive);
  } catch (error) {
    await rm(incomplete, { force: true });
    throw (error as NodeJS.ErrnoException).syscall ? new CommandError(`${(error as Error).message}\n`) : error;
  }
  return `The archive is ${archive}. It is as secret as the database.\n${renderLeftOut(leftOut)}`;
}
