import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readInProcess } from '../../../src/server/transfer/read-in-process.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const isLinux = existsSync('/proc/self/oom_score_adj');

/** The id of the process that reads, which is a child of this one. */
const findProcess = () =>
  readdirSync('/proc').find(id => {
    try {
      const [, parent] = /\) \w (\d+) /.exec(readFileSync(`/proc/${id}/stat`, 'utf8')) ?? [];
      return (
        Number(parent) === process.pid && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('read-process-main')
      );
    } catch {
      // No process, or one that has ended since.
      return false;
    }
  });

(isLinux ? test : test.skip)('of a container without memory, Linux ends what reads, and not the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'list-'));
  const path = join(folder, 'list.csv');
  writeFileSync(path, `email\n${'x\n'.repeat(2_000_000)}`);
  const client = new AbortController();
  try {
    const reading = readInProcess({ source: 'csv', from: { path }, options: { now: new Date() } }, 512, client.signal);
    const ended = expect(reading).rejects.toThrow('MB to read');
    const readScore = async () => {
      const id = findProcess();
      return id ? readFileSync(`/proc/${id}/oom_score_adj`, 'utf8').trim() : null;
    };
    await waitUntilEqual(readScore, '1000');
    client.abort();
    await ended;
  } finally {
    client.abort();
    rmSync(folder, { recursive: true });
  }
});
