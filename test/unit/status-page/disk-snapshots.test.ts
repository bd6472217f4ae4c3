import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { KeptPages } from '../../../src/status-page/server/disk-snapshots.js';
import { viewFor } from '../../support/page-views.js';
import type { PageSnapshot } from '../../../src/status-page/view/snapshot.js';

let folder: string;
let kept: KeptPages;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'all-clear-kept-'));
  kept = new KeptPages(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const id = 'a1b2c3d4';
const { page, brand } = viewFor();
const snapshot = (themeVersion: string | null): PageSnapshot => ({
  readAt: '2026-11-20T14:30:00.000Z',
  page,
  brand,
  components: [],
  notices: [],
  themeVersion,
});

test('a page is kept with its theme, and of a theme the newest', async () => {
  kept.keep(id, snapshot('2'));
  await kept.keepTheme(id, '1', Buffer.from('one'));
  await kept.keepTheme(id, '2', Buffer.from('two'));
  await kept.settled();
  expect(readdirSync(folder).toSorted()).toEqual([`${id}.2.zip`, `${id}.json`]);
  expect(await kept.readTheme(id, '2')).toEqual(Buffer.from('two'));
});

test('a theme that was taken off is not kept, and of a page that is gone nothing is', async () => {
  await kept.keepTheme(id, '1', Buffer.from('one'));
  kept.keep(id, snapshot(null));
  await kept.settled();
  expect(readdirSync(folder)).toEqual([`${id}.json`]);
  await kept.keepTheme(id, '2', Buffer.from('two'));
  kept.keep(id, null);
  await kept.settled();
  expect(readdirSync(folder)).toEqual([]);
});

test('of a page that changes again while it is written the last is kept', async () => {
  kept.keep(id, snapshot('1'));
  kept.keep(id, snapshot('2'));
  await kept.settled();
  expect(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')).themeVersion).toBe('2');
});

test('what is kept is for its owner alone, whatever the folder lets others do', async () => {
  const mask = process.umask(0);
  try {
    kept.keep(id, snapshot('1'));
    await kept.keepTheme(id, '1', Buffer.from('one'));
    await kept.settled();
  } finally {
    process.umask(mask);
  }
  const modes = readdirSync(folder).map(name => (statSync(join(folder, name)).mode & 0o777).toString(8));
  expect(modes).toEqual(['600', '600']);
});
