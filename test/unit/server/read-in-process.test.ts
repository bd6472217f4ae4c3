import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { readInProcess } from '../../../src/server/transfer/read-in-process.js';

const isLinux = existsSync('/proc/self/oom_score_adj');

/** The process that reads, which is a child of this one. */
const findProcess = () =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .find(line => line.includes('read-process-main'))
    ?.trim()
    .split(' ')[0];

(isLinux ? test : test.skip)('of a container without memory, Linux ends what reads, and not the service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'list-'));
  const path = join(folder, 'list.csv');
  writeFileSync(path, `email\n${'x\n'.repeat(2_000_000)}`);
  const client = new AbortController();
  try {
    const reading = readInProcess({ source: 'csv', from: { path }, options: { now: new Date() } }, 512, client.signal);
    const ended = expect(reading).rejects.toThrow('MB to read');
    let scores: string[] = [];
    for (let tries = 0; tries < 100 && scores.at(-1) !== '1000'; tries++) {
      const id = findProcess();
      scores = id ? [...scores, readFileSync(`/proc/${id}/oom_score_adj`, 'utf8').trim()] : scores;
      await setTimeout(50);
    }
    expect(scores.at(-1)).toBe('1000');
    client.abort();
    await ended;
  } finally {
    client.abort();
    rmSync(folder, { recursive: true });
  }
});
