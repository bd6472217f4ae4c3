import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lockFile } from '../../../src/db/file-lock.js';
import { runScript } from '../../support/process.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What another process gets that ends without unlocking. */
async function lockElsewhere(path: string): Promise<string> {
  const script = `import { lockFile } from './dist/db/file-lock.js'; console.log(lockFile(process.argv[1]) !== null);`;
  return (await runScript(['--input-type=module', '--eval', script, path], {})).output.trim();
}

test('a file is locked for other processes until it is unlocked, or its process ends', async () => {
  const path = join(folder, 'lock');
  const unlock = lockFile(path)!;
  expect(await lockElsewhere(path)).toBe('false');
  expect(lockFile(path)).toBeNull();
  expect(await lockElsewhere(path)).toBe('false');
  unlock();
  expect(await lockElsewhere(path)).toBe('true');
  lockFile(path)!();
  expect(readdirSync(folder)).toEqual(['lock']);
  expect(statSync(path).mode & 0o077).toBe(0);
});

test('a file in a folder that does not exist fails with the code of the system', () => {
  expect(() => lockFile(join(folder, 'missing', 'lock'))).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
