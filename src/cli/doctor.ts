import process from 'node:process';
import type { Command } from 'commander';
import { InvalidSettings, readSettings } from '../core/config.js';
import { loadEnvironmentFile } from '../core/load-env.js';
import { failed } from '../server/doctor/check.js';
import { type CheckResult, examine } from '../server/doctor/doctor.js';
import type { CommandEnvironment } from './command.js';
import { addJsonOption, renderRecords } from './records.js';

export function define(command: Command, { run }: CommandEnvironment): void {
  addJsonOption(command)
    .description(
      'Checks the settings, the database, the disk, the mail server, DNS and the proxy, also while the service runs, ' +
        'and changes nothing. The exit code is 1 where a check failed. docs/operations.md explains each.',
    )
    .action(async (options: { json?: boolean }) => {
      const invalid = findInvalidSettings();
      if (invalid) {
        process.stdout.write(render([invalid], options));
        process.exitCode = 1;
        return;
      }
      const report = (results: CheckResult[]) => ({
        text: render(results, options),
        code: results.some(({ outcome }) => outcome === 'failed') ? (1 as const) : (0 as const),
      });
      await run({
        createsDatabase: true,
        run: async ({ settings, database }) => report(await examine(settings, database)),
        runWithoutDatabase: async ({ settings }) => report(await examine(settings)),
        leavesDirectoryUnlocked: true,
      });
    });
}

/** Without settings nothing else can be checked. */
function findInvalidSettings(): CheckResult | null {
  try {
    loadEnvironmentFile();
    readSettings(process.env);
    return null;
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return { check: 'settings', ...failed(error.message, 'Correct them: docs/configuration.md has them all.') };
  }
}

function render(results: CheckResult[], options: { json?: boolean }): string {
  const width = Math.max(...results.map(({ check }) => check.length));
  const renderLine = ({ check, outcome, found, remedy }: CheckResult) => {
    const indent = `\n${' '.repeat(9 + width + 2)}`;
    const text = [found, remedy].filter(Boolean).join('\n').replaceAll('\n', indent);
    return `${outcome.padEnd(9)}${check.padEnd(width + 2)}${text}`;
  };
  return renderRecords(results, options, renderLine, '');
}
