import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDemo } from '../../../src/cli/demo.js';
import { exportPages } from '../../../src/status-page/server/export.js';
import { useOwnService } from '../../support/service.js';
import { requestPage } from '../../support/visitor.js';

const service = useOwnService();
let page: string;
const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));

beforeAll(async () => {
  page = /status\/([0-9a-f]{8})\//.exec(await createDemo(service))![1]!;
  expect(await exportPages(service, folder)).toMatch(/^Wrote \d+ files for 1 page to /);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
});

const file = (name: string) => readFileSync(join(folder, page, name));

test.each([
  ['', 'index.html'],
  ['history', 'history/index.html'],
  ['api/v2/status.json', 'api/v2/status.json'],
  ['favicon.svg', 'favicon.svg'],
  ['robots.txt', 'robots.txt'],
])('exports the response at /%s to the file %s', async (path, name) => {
  const served = (await requestPage(service.url, `${page}.localhost`, `/${path}`)).text;
  // A page contains the minute at which it was rendered. Static files have no events.
  const withoutTimes = (text: string) => text.replace(/\d|\b(hours?|minutes?|seconds?)\b|[,:]/g, '');
  const withoutEvents = served.replace(/ data-events="[^"]*" data-after="\d+"/, '');
  expect(file(name).toString()).not.toContain('data-events');
  expect(withoutTimes(file(name).toString())).toBe(withoutTimes(withoutEvents));
});

test('writes a compressed copy of every file with the same content', () => {
  expect(brotliDecompressSync(file('index.html.br'))).toEqual(file('index.html'));
  expect(gunzipSync(file('index.html.gz'))).toEqual(file('index.html'));
});

test('exports a page for every notice, and a file for every link of the front page', () => {
  expect(readdirSync(join(folder, page, 'notices')).length).toBeGreaterThan(5);
  const links = [
    ...file('index.html')
      .toString()
      .matchAll(/href="\/([^"?#]*)/g),
  ].map(match => match[1]!);
  expect(links.length).toBeGreaterThan(5);
  const missing = links.filter(link => !existsSync(join(folder, page, link)) && !/^subscribe/.test(link));
  expect(missing).toEqual([]);
});

test('an export replaces files one by one: no visitor finds a page without one of them', async () => {
  const listFiles = () => readdirSync(join(folder, page), { recursive: true, encoding: 'utf8' });
  const files = listFiles();
  // Left by a notice that was deleted, and by an export that was killed.
  for (const path of ['notices/gone', '.incomplete']) {
    mkdirSync(join(folder, page, path));
    writeFileSync(join(folder, page, path, 'index.html'), 'old');
  }
  let isDone = false;
  const exporting = exportPages(service, folder).finally(() => (isDone = true));
  const missing = new Set<string>();
  while (!isDone) {
    for (const path of files) if (!existsSync(join(folder, page, path))) missing.add(path);
    await setImmediate();
  }
  await exporting;
  expect([...missing]).toEqual([]);
  expect(listFiles().toSorted()).toEqual(files.toSorted());
});

test('fails when the target is a file', async () => {
  await expect(exportPages(service, 'package.json')).rejects.toThrow('Cannot create the directory package.json.\n');
});
