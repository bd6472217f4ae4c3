import { chownSync, mkdtempSync, rmSync } from 'node:fs';
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

test('a folder of this user that cannot be written is named, without advice to own it', () => {
  const path = join(folder, 'database', 'base');
  const message = describeError({ syscall: 'mkdir', path });
  expect(message).toBe(
    `This process owns ${folder}, and cannot write to ${path}: set DATA_DIR to a folder that it may write to.`,
  );
  expect(describeError({})).toContain(`cannot write to ${folder}: `);
});

test('a folder of another user is named with its owner, and nothing above DATA_DIR is given to this user', () => {
  const own = `${process.getuid!()}:${process.getgid!()}`;
  const isRoot = process.getuid!() === 0;
  const other = isRoot ? mkdtempSync(join(tmpdir(), 'all-clear-')) : '/';
  if (isRoot) chownSync(other, 12345, 12345);
  const missing = join(other, 'missing', 'data');
  const message = describeError({ syscall: 'mkdir', path: missing });
  expect(message).toContain(`This process cannot create ${missing}: ${other} belongs to `);
  expect(message).toContain(`Run \`mkdir -p ${missing} && chown ${own} ${missing}\`, or set DATA_DIR`);
  expect(message).not.toContain('chown -R');
  expect(describeError({ path: other })).toContain(`Run \`chown -R ${own} ${other}\``);
  if (isRoot) rmSync(other, { recursive: true });
});

test('a Unix socket of the database is neither', () => {
  expect(describeError({ syscall: 'connect' })).toMatch(/^The database of DATABASE_URL .*Unix socket/);
});

test('a missing user of DATABASE_URL is named, with what to add', () => {
  const error = Object.assign(new Error('no PostgreSQL user name specified in startup packet'), { code: '28000' });
  expect(describeStartupError(error, createTestSettings())).toMatch(
    /^DATABASE_URL has no user, .* postgres:\/\/user@\//,
  );
});
