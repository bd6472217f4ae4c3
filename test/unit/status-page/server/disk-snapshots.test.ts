import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createLogger } from '../../../../src/core/logger.js';
import { DiskSnapshots } from '../../../../src/status-page/server/disk-snapshots.js';
import { createView } from '../../../support/page-views.js';
import type { PageSnapshot } from '../../../../src/status-page/view/snapshot.js';

let directory: string;
let snapshots: DiskSnapshots;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'all-clear-snapshots-'));
  snapshots = new DiskSnapshots(directory, createLogger('silent'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const id = 'a1b2c3d4';
const { page, brand } = createView();
const snapshot = (themeVersion: string | null): PageSnapshot => ({
  readAt: '2026-11-20T14:30:00.000Z',
  page,
  brand,
  components: [],
  notices: [],
  themeVersion,
});

test('stores a snapshot and only the newest version of its theme', async () => {
  snapshots.save(id, snapshot('2'));
  await snapshots.saveTheme(id, '1', Buffer.from('one'));
  await snapshots.saveTheme(id, '2', Buffer.from('two'));
  await snapshots.flush();
  expect(readdirSync(directory).toSorted()).toEqual([`${id}.2.zip`, `${id}.json`]);
  expect(await snapshots.loadTheme(id, '2')).toEqual(Buffer.from('two'));
});

test('deletes the theme of a page without one, and all files of a deleted page', async () => {
  await snapshots.saveTheme(id, '1', Buffer.from('one'));
  snapshots.save(id, snapshot(null));
  await snapshots.flush();
  expect(readdirSync(directory)).toEqual([`${id}.json`]);
  await snapshots.saveTheme(id, '2', Buffer.from('two'));
  snapshots.save(id, null);
  await snapshots.flush();
  expect(readdirSync(directory)).toEqual([]);
});

test('stores the last snapshot when a page changes while it is written', async () => {
  snapshots.save(id, snapshot('1'));
  snapshots.save(id, snapshot('2'));
  await snapshots.flush();
  expect(JSON.parse(readFileSync(join(directory, `${id}.json`), 'utf8')).themeVersion).toBe('2');
});

test('creates files that only their owner can read, whatever the umask', async () => {
  const mask = process.umask(0);
  try {
    snapshots.save(id, snapshot('1'));
    await snapshots.saveTheme(id, '1', Buffer.from('one'));
    await snapshots.flush();
  } finally {
    process.umask(mask);
  }
  const modes = readdirSync(directory).map(name => (statSync(join(directory, name)).mode & 0o777).toString(8));
  expect(modes).toEqual(['600', '600']);
});
