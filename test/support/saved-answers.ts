import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';
import { runCommand } from '../../src/cli/run-command.js';
import type { ImportReport } from '../../src/transfer/importers/import-report.js';
import type { TestService } from './service.js';

const folders: string[] = [];

/** Writes answers of an API to the files of a folder, which is removed after the test. */
export function saveAnswers(answers: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-answers-'));
  folders.push(folder);
  for (const [name, answer] of Object.entries(answers))
    writeFileSync(join(folder, name), typeof answer === 'string' ? answer : JSON.stringify(answer));
  return folder;
}

export const removeSavedAnswers = () =>
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

/** Runs `allclear import` on the database of a service. Of another product it makes a new page, but where `--page` is. */
export const createImport = (service: TestService) => {
  const runAsGiven = (...args: string[]) => {
    const request = { args: ['import', ...args], directory: tmpdir() };
    return runCommand({ database: service.database, settings: service.settings }, request);
  };
  const run = async (...args: string[]) => {
    const hasPage = !args.includes('--from') || args.includes('--page') || args.includes('--keep-ids');
    return runAsGiven(...args, ...(hasPage ? [] : ['--page', 'new']));
  };
  const report = async (...args: string[]): Promise<ImportReport> => {
    const { text, error, code } = await run(...args, '--json');
    if (code) throw new Error(error);
    return JSON.parse(text);
  };
  return { run, runAsGiven, report };
};

/** The counts of a report: new, changed, unchanged and left out records by kind. */
export const toCounts = ({ kinds }: ImportReport) =>
  Object.fromEntries(
    kinds.map(({ kind, created, changed, unchanged, leftOut }) => [kind, [created, changed, unchanged, leftOut]]),
  );
