import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { KeptPages } from '../../src/status-page/kept-pages.js';
import { viewFor } from '../support/page-views.js';
import type { PageSnapshot } from '../../src/status-page/snapshot.js';

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
