import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { askOwner, lockFolder } from '../../../src/db/data-directory-lock.js';

test('the owner of a folder may be asked by nobody but who runs it, whatever the folder and the process let others do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  chmodSync(folder, 0o755);
  const mask = process.umask(0);
  try {
    const unlock = await lockFolder(folder, async request => `${request} yes`);
    try {
      expect(statSync(join(folder, 'service.sock')).mode & 0o077).toBe(0);
      expect(process.umask()).toBe(0);
      expect(await askOwner(folder, 'Who?')).toBe('Who? yes');
    } finally {
      await unlock();
    }
  } finally {
    process.umask(mask);
    rmSync(folder, { recursive: true });
  }
});

test('who asked an owner that went before it heard them is told that there is none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
  try {
    const unlock = await lockFolder(folder, async () => 'heard');
    const asked = ['One?', 'Two?'].map(request => askOwner(folder, request));
    await unlock();
    expect(await Promise.all(asked)).toEqual([undefined, undefined]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
