import { createLogger } from '../../../src/core/logger.js';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sendToOwner, lockDataDirectory } from '../../../src/db/data-directory-lock.js';

test('the socket of a data directory is open to its user only, whatever the umask', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'all-clear-'));
  chmodSync(directory, 0o755);
  const mask = process.umask(0);
  try {
    const unlock = await lockDataDirectory(directory, async request => `${request} yes`, createLogger('silent'));
    try {
      expect(statSync(join(directory, 'service.sock')).mode & 0o077).toBe(0);
      expect(process.umask()).toBe(0);
      expect(await sendToOwner(directory, 'Who?')).toBe('Who? yes');
    } finally {
      await unlock();
    }
  } finally {
    process.umask(mask);
    rmSync(directory, { recursive: true });
  }
});

test('a request to an owner that ends before it reads it is answered as if there were no owner', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'all-clear-'));
  try {
    const unlock = await lockDataDirectory(directory, async () => 'response', createLogger('silent'));
    const requests = ['One?', 'Two?'].map(request => sendToOwner(directory, request));
    await unlock();
    expect(await Promise.all(requests)).toEqual([undefined, undefined]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
