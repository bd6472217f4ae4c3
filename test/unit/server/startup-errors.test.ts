import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeStartupError } from '../../../src/server/startup-errors.js';
import { createTestSettings } from '../../support/settings.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const describeError = (fields: object) =>
  describeStartupError(
    Object.assign(new Error('EACCES'), { code: 'EACCES', ...fields }),
    createTestSettings({ dataDir: folder, port: 80, host: '0.0.0.0' }),
  );

test('a port that this user may not have is named alone', () => {
  const message = describeError({ syscall: 'listen' });
  expect(message).toMatch(/^This user is not allowed to listen on port 80 of 0\.0\.0\.0: .* Set PORT to 1024 or more/);
  expect(message).not.toContain(folder);
});

test('a folder that cannot be written is named with its owner and what to do', () => {
  const own = `${process.getuid!()}:${process.getgid!()}`;
  const path = join(folder, 'database', 'base');
  const message = describeError({ syscall: 'mkdir', path });
  expect(message).toContain(`cannot write to ${path}: ${folder} belongs to `);
  expect(message).toContain(`(${own}), and this process is ${own}. Run \`chown -R ${own} ${folder}\``);
  expect(message).not.toContain('port');
  expect(describeError({})).toContain(`cannot write to ${folder}: `);
});

test('a Unix socket of the database is neither', () => {
  expect(describeError({ syscall: 'connect' })).toMatch(/^The database of DATABASE_URL .*Unix socket/);
});
