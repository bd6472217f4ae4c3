import { createLogger } from '../../../src/core/logger.js';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { DataDirectoryInUse, lockDataDirectory, sendToOwner } from '../../../src/db/data-directory-lock.js';

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

describe('a directory that is locked', () => {
  let directory: string;
  const unlocks: (() => Promise<void>)[] = [];
  const lock = async (answer: string, onLost?: (error: Error) => void) => {
    unlocks.push(await lockDataDirectory(directory, async () => answer, createLogger('silent'), onLost));
  };
  const removeFiles = () => {
    for (const name of ['service.sock', 'service.lock']) rmSync(join(directory, name));
  };
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'all-clear-'));
  });
  afterEach(async () => {
    for (const unlock of unlocks.splice(0)) await unlock();
    rmSync(directory, { recursive: true });
  });

  test('stays locked when its socket is deleted', async () => {
    await lock('first');
    rmSync(join(directory, 'service.sock'));
    await expect(lock('second')).rejects.toBeInstanceOf(DataDirectoryInUse);
  });

  test('answers commands again after its files were deleted', async () => {
    await lock('first');
    removeFiles();
    const until = Date.now() + 10_000;
    while ((await sendToOwner(directory, 'Who?')) !== 'first' && Date.now() < until) await setImmediate();
    expect(await sendToOwner(directory, 'Who?')).toBe('first');
    await expect(lock('second')).rejects.toBeInstanceOf(DataDirectoryInUse);
  });

  test('is lost to a process that locks it after its files were deleted', async () => {
    const lost = new Promise<Error>(done => {
      lock('first', done).then(async () => {
        removeFiles();
        await lock('second');
      });
    });
    expect((await lost).message).toMatch(/^This process ends: another one uses the folder /);
    expect(await sendToOwner(directory, 'Who?')).toBe('second');
    unlocks.shift();
  });
});
