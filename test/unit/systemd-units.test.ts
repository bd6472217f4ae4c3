import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const units = readdirSync('deploy')
  .filter(name => name.endsWith('.service'))
  .map(name => ({ name, text: readFileSync(join('deploy', name), 'utf8') }));

/** systemd gives precedence to the variables of EnvironmentFile=. */
test.each(units)('$name leaves to Environment= what the settings of all units may replace', ({ text }) => {
  const [, variables] = /^Environment=(.*)$/m.exec(text)!;
  const names = variables!.split(' ').map(variable => variable.split('=')[0]!);
  expect(names.filter(name => !['NODE_ENV', 'DATA_DIR'].includes(name))).toEqual([]);
});

test('two backups of one day are in two folders', () => {
  const { text } = units.find(({ name }) => name === 'all-clear-backup.service')!;
  const [, format] = /\$\(date \+(.*?)\)/.exec(text)!;
  const print = (time: string) =>
    execFileSync('date', ['-u', '-d', time, `+${format!.replaceAll('%%', '%')}`], { encoding: 'utf8' });
  expect(print('2026-11-22T02:30:00Z')).not.toBe(print('2026-11-22T12:00:00Z'));
});

test.each(['deploy/all-clear-backup.service', 'docs/backup.md'])('%s deletes old backups alone', document => {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  try {
    const old = Date.now() / 1_000 - 20 * 86_400;
    for (const name of ['2026-01-01-023000', '2026-01-20-023000', 'lost+found']) mkdirSync(join(folder, name));
    // A disk of its own has lost+found, which root alone may delete.
    for (const name of ['2026-01-01-023000', 'lost+found']) utimesSync(join(folder, name), old, old);
    const [command] = /find \/\S+ -mindepth .*$/m.exec(readFileSync(document, 'utf8'))!;
    execFileSync('sh', ['-ec', command.replace(/(?<=find )\S+/, folder)]);
    expect(readdirSync(folder)).toEqual(['2026-01-20-023000', 'lost+found']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
