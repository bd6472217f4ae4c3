import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import {
  checkDataDirectory,
  checkDisk,
  checkNode,
  checkSettings,
} from '../../../../src/server/doctor/machine-checks.js';
import { checkIdentityProvider, checkSmsGateway } from '../../../../src/server/doctor/outgoing-checks.js';
import { createDoctorContext } from '../../../support/doctor.js';

const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a variable that is nearly a setting is a warning', async () => {
  expect(await checkSettings(createDoctorContext({}, { environment: { MAIL_FORM: 'secret@example.com' } }))).toEqual({
    outcome: 'warning',
    found: 'The variable MAIL_FORM is not a setting and has no effect. Did you mean MAIL_FROM?',
    remedy: expect.any(String),
  });
  expect(await checkSettings(createDoctorContext())).toMatchObject({ outcome: 'ok' });
  expect(await checkNode(createDoctorContext())).toMatchObject({ outcome: 'ok' });
});

test('the data directory must be writable, and nothing is left in it', async () => {
  const check = (dataDir: string) => checkDataDirectory(createDoctorContext({ dataDir }));
  expect(await check(folder)).toEqual({ outcome: 'ok', found: `${folder} can be written.` });
  expect(await check(join(folder, 'missing', 'data'))).toEqual({
    outcome: 'ok',
    found: `It can be created in ${folder}.`,
  });
  expect(readdirSync(folder)).toEqual([]);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(await check(file)).toMatchObject({ outcome: 'failed', found: `${file} cannot be written (EACCES).` });
  expect(await check('/proc')).toMatchObject({ outcome: 'failed' });
  expect(await checkDisk(createDoctorContext({ dataDir: folder }))).toMatchObject({
    found: expect.stringMatching(/^\d+\.\d GB are free/),
  });
  // A file system without space.
  expect(await checkDisk(createDoctorContext({ dataDir: '/proc' }))).toMatchObject({ outcome: 'failed' });
});

test('the SMS gateway must answer, and gets neither account nor token', async () => {
  const requests: (string | undefined)[] = [];
  const gateway = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(404).end();
  });
  await new Promise<void>(done => gateway.listen(0, '127.0.0.1', done));
  const { port } = gateway.address() as AddressInfo;
  const context = createDoctorContext({ smsUrl: `http://AC1:sms-secret@127.0.0.1:${port}/send`, smsFrom: 'Status' });
  expect(await checkSmsGateway(context)).toMatchObject({ outcome: 'ok' });
  expect(requests).toEqual(['HEAD / undefined']);
  await new Promise(done => gateway.close(done));
  expect(await checkSmsGateway(context)).toMatchObject({
    outcome: 'failed',
    found: `http://127.0.0.1:${port} cannot be reached: ECONNREFUSED.`,
  });
  const issuer = { oidcIssuer: `http://127.0.0.1:${port}`, oidcClientId: 'all-clear' };
  expect(await checkIdentityProvider(createDoctorContext(issuer))).toMatchObject({ outcome: 'failed' });
  expect(await checkSmsGateway(createDoctorContext())).toMatchObject({ outcome: 'skipped' });
});
