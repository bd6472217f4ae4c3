import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTemporaryFolder, removeAbandonedFolders } from '../../../src/transfer/archive/temporary-folder.js';

const usual = process.env.TMPDIR;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'temporary-'));
  process.env.TMPDIR = folder;
});
afterAll(() => {
  if (usual === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = usual;
  rmSync(folder, { recursive: true });
});

/** No process has it: it is above the greatest that Linux gives. */
const deadPid = 2 ** 22 + 1;
const create = (name: string, ageSeconds = 0) => {
  mkdirSync(join(folder, name));
  const at = Date.now() / 1_000 - ageSeconds;
  utimesSync(join(folder, name), at, at);
};

test('a start removes the folders of processes that have ended, and no others', async () => {
  const kept = [await createTemporaryFolder('upload'), await createTemporaryFolder('move')].map(path => basename(path));
  const twoDays = 2 * 86_400;
  create(`all-clear-upload-${hostname()}-${deadPid}-abcdef`);
  create(`all-clear-move-${hostname()}-${deadPid}-abcdef`);
  create(`all-clear-upload-${hostname()}-${process.pid}-before`, twoDays);
  create('all-clear-upload-other-host-7-abcdef', twoDays);
  create('all-clear-upload-abcdef', twoDays);
  const others = ['all-clear-upload-other-host-8-abcdef', 'all-clear-upload-ghijkl', 'all-clear-notes', 'uploads'];
  for (const name of others) create(name);
  await removeAbandonedFolders();
  expect(readdirSync(folder).toSorted()).toEqual([...kept, ...others].toSorted());
});
