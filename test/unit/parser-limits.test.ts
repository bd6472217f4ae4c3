import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { fileParsers } from '../support/file-parsers.js';
import { textParsers } from '../support/text-parsers.js';

/** `npm run bench -- parsers` measures how long each takes. */
const parsers = [...textParsers, ...fileParsers];
/** All of them take 10 seconds. A parser that takes quadratic time for what has no bound takes an hour. */
const timeoutMs = 240_000;

test(
  'the worst input of each parser is read to its end, and what is above its bound is refused',
  () => {
    const { stdout, stderr, signal } = spawnSync(
      process.execPath,
      ['--import', './test/support/module-hooks.js', 'test/support/read-at-limits.ts'],
      { encoding: 'utf8', timeout: timeoutMs, killSignal: 'SIGKILL' },
    );
    const ended = stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as [string, string, string]);
    const expected = parsers.flatMap(({ input, worst }) =>
      [...Object.keys(worst), 'beyond'].map(name => [input, name]),
    );
    expect({ ended: ended.map(([input, name]) => [input, name]), signal, stderr }).toEqual({
      ended: expected,
      signal: null,
      stderr: '',
    });
    const cut = new Set(parsers.filter(({ isCut }) => isCut).map(({ input }) => input));
    expect(
      ended.filter(([input, name, outcome]) => name === 'beyond' && outcome !== 'refused' && !cut.has(input)),
    ).toEqual([]);
  },
  timeoutMs + 10_000,
);

test.each(parsers)('the bound of $input is where the table says', ({ enforced: [file, name] }) => {
  expect(readFileSync(`src/${file}`, 'utf8')).toMatch(new RegExp(`\\b${name}\\b`));
});
