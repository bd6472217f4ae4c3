import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { Settings } from '../../../../src/core/config.js';
import type { Check } from '../../../../src/server/doctor/check.js';
import { checkDkim, checkDmarc, checkMailServer, checkSpf } from '../../../../src/server/doctor/mail-checks.js';
import { createDoctorContext } from '../../../support/doctor.js';
import { startMailServer } from '../../../support/mail-server.js';

const mail = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'Example <status@mail.example.com>' };

async function run(check: Check, records: Record<string, string[]>, settings: Partial<Settings> = {}) {
  const resolveTxt = async (name: string) => records[name] ?? [];
  const { outcome, found, remedy = '' } = await check(createDoctorContext({ ...mail, ...settings }, { resolveTxt }));
  return `${outcome}: ${found} ${remedy}`;
}

test.each([
  [{}, /^warning: mail\.example\.com has no SPF record\. Create a TXT record at mail\.example\.com/],
  [{ 'mail.example.com': ['v=spf10', 'google-site-verification=1'] }, /^warning: mail\.example\.com has no SPF/],
  [{ 'mail.example.com': ['v=spf1 mx -all', 'v=spf1 a -all'] }, /^failed: mail\.example\.com has 2 SPF records/],
  [{ 'mail.example.com': ['v=spf1 mx +all'] }, /^warning: .*lets any machine send: v=spf1 mx \+all/],
  [{ 'mail.example.com': ['v=spf1 mx all'] }, /^warning: .*lets any machine send/],
  [{ 'mail.example.com': ['v=spf1 include:_spf.example.net -all'] }, /^ok: mail\.example\.com: v=spf1 include:/],
])('SPF: %j', async (records, expected) => {
  expect(await run(checkSpf, records as Record<string, string[]>)).toMatch(expected);
});

test.each([
  [{}, /^warning: Neither mail\.example\.com nor a domain above .*rua=mailto:ops@example\.com/],
  [{ '_dmarc.com': [] }, /^warning: /],
  [{ '_dmarc.example.com': ['v=DMARC1; p=reject'] }, /^ok: _dmarc\.example\.com: v=DMARC1; p=reject/],
  [
    { '_dmarc.mail.example.com': ['v=DMARC1; p=none'], '_dmarc.example.com': ['v=DMARC1; p=reject'] },
    /^ok: _dmarc\.mail\.example\.com: v=DMARC1; p=none/,
  ],
])('DMARC: %j', async (records, expected) => {
  const settings = { operatorEmail: 'ops@example.com' };
  expect(await run(checkDmarc, records as Record<string, string[]>, settings)).toMatch(expected);
});

const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('DKIM: the record must have the key that signs', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const dkimPrivateKeyFile = join(folder, 'key.pem');
  writeFileSync(dkimPrivateKeyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const settings = { dkimDomain: 'example.com', dkimSelector: 's1', dkimPrivateKeyFile };
  const name = 's1._domainkey.example.com';
  const check = (...texts: string[]) => run(checkDkim, { [name]: texts }, settings);
  expect(await run(checkDkim, {})).toMatch(/^skipped: No DKIM key/);
  expect(await check()).toBe(
    `failed: There is no DKIM record at ${name}. Create a TXT record at ${name}: v=DKIM1; k=rsa; p=${key}`,
  );
  expect(await check(`v=DKIM1; p=${key.slice(0, -4)}AAAA`)).toMatch(/^failed: .*has another key.*; p=/);
  expect(await check(`v=DKIM1; k=rsa; p=${key.slice(0, 200)} ${key.slice(200)}`)).toMatch(/^ok: /);
});

test('without e-mail nothing is asked, and a DNS that fails decides nothing', async () => {
  for (const check of [checkMailServer, checkSpf, checkDkim, checkDmarc])
    expect(await run(check, {}, { smtpUrl: '' })).toMatch(/^skipped: SMTP_URL is not set/);
  const resolveTxt = () => Promise.reject(Object.assign(new Error(), { code: 'ESERVFAIL' }));
  expect(await checkSpf(createDoctorContext(mail, { resolveTxt }))).toMatchObject({
    outcome: 'warning',
    found: 'DNS does not answer for mail.example.com (ESERVFAIL).',
  });
});

test('the mail server is connected to, with TLS and the password', async () => {
  const server = await startMailServer({
    disabledCommands: [],
    authMethods: ['PLAIN'],
    onAuth: ({ password }, _, done) =>
      password === 'right' ? done(null, { user: 'ann' }) : done(new Error('Invalid password')),
  });
  const check = (user: string, query = '') =>
    run(checkMailServer, {}, { smtpUrl: `smtp://${user}127.0.0.1:${server.port}${query}` });
  try {
    expect(await check('ann:right@')).toBe(`ok: 127.0.0.1:${server.port} accepts the connection, which is encrypted. `);
    expect(await check('', '?tls=never')).toMatch(/^ok: .*stays on this machine/);
    expect(await run(checkMailServer, {}, { smtpUrl: `smtps://127.0.0.1:${server.port}` })).toMatch(
      /^failed: 127\.0\.0\.1:\d+: The mail server does not begin with TLS at this port: use smtp:/,
    );
    expect(await check('ann:wrong@')).toMatch(/^failed: 127\.0\.0\.1:\d+: The mail server refused AUTH/);
    expect(server.mails).toEqual([]);
  } finally {
    await server.stop();
  }
  expect(await check('')).toMatch(/^failed: 127\.0\.0\.1:\d+: .*ECONNREFUSED/);
});
