import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeDemo } from '../../../src/cli/demo/demo.js';
import { exportPages } from '../../../src/status-page/server/export.js';
import { startTestService, type TestService } from '../../support/service.js';
import { visit } from '../../support/visitor.js';

let service: TestService;
let page: string;
const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));

beforeAll(async () => {
  service = await startTestService();
  page = /status\/([0-9a-f]{8})\//.exec(await makeDemo(service.database))![1]!;
  expect(await exportPages(service.database, [folder])).toMatch(/^\d+ files of 1 pages are in /);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const file = (name: string) => readFileSync(join(folder, page, name));

test.each([
  ['', 'index.html'],
  ['history', 'history/index.html'],
  ['api/v2/status.json', 'api/v2/status.json'],
  ['favicon.svg', 'favicon.svg'],
  ['robots.txt', 'robots.txt'],
])('what visitors are served at /%s is in the file %s', async (address, name) => {
  const served = (await visit(service.url, `${page}.localhost`, `/${address}`)).text;
  // The minute that a page is drawn in is on it.
  const still = (text: string) => text.replace(/\d|\b(hours?|minutes?|seconds?)\b|[,:]/g, '');
  expect(still(file(name).toString())).toBe(still(served));
});

test('every file is there packed as well, with the same content', () => {
  expect(brotliDecompressSync(file('index.html.br'))).toEqual(file('index.html'));
  expect(gunzipSync(file('index.html.gz'))).toEqual(file('index.html'));
});

test('every notice has a page, and every link of the front page leads to a file', () => {
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

test('onto a file it says so', async () => {
  await expect(exportPages(service.database, ['package.json'])).rejects.toThrow(
    'package.json is no folder, and cannot become one.\n',
  );
});

test('without a folder it says what it needs', async () => {
  await expect(exportPages(service.database, [])).rejects.toThrow(/^npm run export -- <folder> /);
});
