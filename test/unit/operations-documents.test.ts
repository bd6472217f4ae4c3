import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commands } from '../../src/cli/commands.js';
import { settingsTable } from '../../src/core/settings-table.js';
import { checks } from '../../src/server/doctor/checks.js';

const operations = readFileSync('docs/operations.md', 'utf8');
const security = readFileSync('SECURITY.md', 'utf8');
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(path => path.endsWith('.ts'))
  .map(path => readFileSync(join('src', path), 'utf8'));

/** The first cell of each row of the table below a heading. */
function readFirstCells(heading: string): string[] {
  const section = operations.split(/^## /m).find(text => text.startsWith(heading))!;
  return [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell!);
}

const listNames = (text: string, pattern: RegExp): string[] => [...new Set(text.match(pattern) ?? [])].toSorted();

test('docs/operations.md has each metric', () => {
  const metrics = sources.flatMap(text => listNames(text, /(?<=name: ')(all_clear|http)_\w+/g)).toSorted();
  expect(metrics.length).toBeGreaterThan(15);
  expect(listNames(readFirstCells('Metrics').join(' '), /\b(all_clear|http)_\w+/g)).toEqual(metrics);
});

test('docs/operations.md has each command', () => {
  const documented = listNames(readFirstCells('Commands').join(' '), /(?<=`)[a-z-]+(?=`)/g);
  expect(documented).toEqual(Object.keys(commands).toSorted());
});

test('docs/operations.md has each check of allclear doctor', () => {
  const documented = readFirstCells('Checking an installation').flatMap(cell => listNames(cell, /(?<=`)[\w ]+(?=`)/g));
  expect(documented.toSorted()).toEqual(Object.keys(checks).toSorted());
});

test('docs/operations.md explains messages that the service logs', () => {
  const messages = readFirstCells('Logs')
    .filter(cell => cell !== '`msg`')
    .flatMap(cell => cell.split('`').filter((_, index) => index % 2));
  expect(messages.filter(message => !sources.some(text => text.includes(`'${message}'`)))).toEqual([]);
});

test('each test that the documents name exists', () => {
  const paths = listNames(operations + security, /(?<=`)test\/[\w./-]+(?=`)/g);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter(path => !existsSync(path))).toEqual([]);
});

test('each setting that the documents name exists', () => {
  const known = new Set(Object.values(settingsTable).map(({ variable }) => variable));
  const named = listNames(operations + security, /(?<=`)[A-Z][A-Z]+_[A-Z_]+(?=[`=])/g);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(name => !known.has(name as never) && !ordinaryWords.includes(name))).toEqual([]);
});

/** In capitals, and no settings: a mistyped variable, a convention of terminals, and the code of an error. */
const ordinaryWords = ['DATABSE_URL', 'NO_COLOR', 'OAUTH_RESPONSE_BODY_ERROR'];

test('`npm start`, the image and the units of systemd limit what the allocator keeps, as docs/deployment.md says', () => {
  const setting = 'MALLOC_MMAP_THRESHOLD_=262144';
  const paths = ['Dockerfile', 'deploy/all-clear.service', 'deploy/all-clear-worker.service', 'docs/deployment.md'];
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const name of ['start', 'worker']) expect(scripts[name]).toContain(`${setting} exec node`);
  expect(paths.filter(path => !readFileSync(path, 'utf8').includes(setting))).toEqual([]);
});
