import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { CommandError } from '../core/errors.js';
import { applyPlan } from '../transfer/page-file/apply-plan.js';
import type { SendOperation } from '../transfer/page-file/graphql-client.js';
import { findPageId, loadPage, newPage, resolveTimeZone } from '../transfer/page-file/load-page.js';
import { derivePageFileFields } from '../transfer/page-file/page-file.fields.js';
import { plan } from '../transfer/page-file/plan.js';
import { readPageFile } from '../transfer/page-file/read-page-file.js';
import { renderStep, renderSummary } from '../transfer/page-file/render-plan.js';
import type { Step } from '../transfer/page-file/step.js';
import { schema } from '../schema.js';
import { print } from './output/print.js';
import { addUrlOption, connect, runAsClient } from './page-file-service.js';
import { addJsonOption, renderRecords } from './records.js';

interface Options {
  dryRun?: boolean;
  prune?: boolean;
  rewriteChannels?: boolean;
  yes?: boolean;
  json?: boolean;
  url?: string;
}

export function define(command: Command): void {
  addUrlOption(addJsonOption(command))
    .description(
      'Makes a page what a file says: prints the changes, asks, and makes them. Talks to the API of a service, with ' +
        'the token in ALL_CLEAR_TOKEN. docs/pages-as-code.md describes the file.',
    )
    .argument('<file>', 'in YAML or JSON, as allclear show prints it')
    .option('--dry-run', 'change nothing: the exit code is 2 where there are changes, and 0 where there are none')
    .option('--prune', 'delete what the lists and the channels of the file leave out')
    .option('--rewrite-channels', 'write the credentials of channels again, which cannot be compared')
    .option('--yes', 'do not ask')
    .action((file: string, options: Options) => runAsClient(file, () => apply(file, options)));
}

async function apply(path: string, options: Options): Promise<0 | 2> {
  const text = await readText(path);
  const send = connect(options.url);
  return applyPageFile({ send, environment: process.env, print, confirm }, text, options);
}

interface Surroundings {
  send: SendOperation;
  environment: Readonly<Record<string, string | undefined>>;
  print(text: string): void;
  /** Throws where nothing is to be changed. */
  confirm(): Promise<void>;
}

/** Returns the exit code: 2 where a dry run has found changes. */
export async function applyPageFile(
  { send, environment, print, confirm }: Surroundings,
  text: string,
  options: Omit<Options, 'url'>,
): Promise<0 | 2> {
  const fields = derivePageFileFields(schema);
  const file = readPageFile(text, fields, environment);
  const pageId = await findPageId(send, file);
  const current = pageId === null ? newPage : await loadPage(send, pageId, fields);
  const changes = plan(current, await resolveTimeZone(send, file, current), {
    prune: options.prune ?? false,
    rewritesCredentials: options.rewriteChannels ?? false,
  });
  const { steps } = changes;
  print(
    options.json
      ? renderRecords(steps.map(toRecord), options, () => '', '')
      : `${steps.map(step => `${renderStep(step)}\n`).join('')}${renderSummary(changes)}`,
  );
  if (options.dryRun) return steps.length ? 2 : 0;
  if (!steps.length) return 0;
  if (!options.yes) await confirm();
  const id = await applyPlan(send, steps, pageId);
  if (!options.json) print(pageId === null ? `The page ${id} is created.\n` : 'The changes are made.\n');
  return 0;
}

/** Without the input, which may have credentials. */
const toRecord = ({ action, kind, id, name, changes }: Step) => ({
  action,
  kind,
  id: action === 'create' ? null : id,
  name,
  changes,
});

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${(error as Error).message}\n`);
  }
}

async function confirm(): Promise<void> {
  if (!process.stdin.isTTY) throw new CommandError('Nothing is changed. --yes makes these changes without asking.\n');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Make these changes? Only "yes" is accepted: ');
  terminal.close();
  if (answer.trim() !== 'yes') throw new CommandError('Nothing is changed.\n');
}
