import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { queryDns } from '../../../src/custom-domain/dns-query.js';
import { createProof } from '../../../src/custom-domain/dns-proof.js';
import { type DnsServer, startDns } from '../../support/dns.js';

let dns: DnsServer;
beforeAll(async () => {
  dns = await startDns();
});
afterAll(() => dns.stop());
afterEach(() => dns.names.clear());

const proof = createProof({ domain: 'status.acme.example', pageId: 'a1b2c3d4', token: 'token' }, 'localhost');
const short = { timeout: 50, tries: 1, whole: 5_000 };
const nothing = { names: [], endless: false, texts: [], failures: { cname: null, txt: null } };

test('silence is a failure of the question that it meets, and not of the other', async () => {
  dns.names.set(proof.domain, { fails: 'silence' }).set(proof.txtName, { txt: ['x'] });
  expect(await queryDns(proof, [dns.address], undefined, short)).toEqual({
    ...nothing,
    texts: ['x'],
    failures: { cname: 'ETIMEOUT', txt: null },
  });
});

test('what takes too long as a whole is broken off, however patient each question is', async () => {
  for (const name of [proof.domain, proof.txtName]) dns.names.set(name, { fails: 'silence' });
  expect(await queryDns(proof, [dns.address], undefined, { tryMs: 60_000, tries: 1, totalMs: 50 })).toEqual({
    ...nothing,
    failures: { cname: 'ETIMEOUT', txt: 'ETIMEOUT' },
  });
});

test('who stops does not wait for DNS', async () => {
  const stop = new AbortController();
  dns.names
    .set(proof.domain, { fails: 'silence', cname: 'x' })
    .set(proof.txtName, { beforeResponse: async () => stop.abort(), fails: 'SERVFAIL' });
  const answers = await queryDns(proof, [dns.address], stop.signal, { tryMs: 60_000, tries: 1, totalMs: 60_000 });
  expect(answers.failures.cname).toBe('ETIMEOUT');
  const before = dns.queries.length;
  expect((await queryDns(proof, [dns.address], stop.signal)).failures).toEqual({ cname: 'ETIMEOUT', txt: 'ETIMEOUT' });
  expect(dns.queries).toHaveLength(before);
});

test('names come in lower case, and nothing is asked beyond the one that is wanted', async () => {
  dns.names
    .set(proof.domain, { cname: 'CDN.Example' })
    .set('cdn.example', { cname: 'A1B2C3D4.LocalHost' })
    .set(proof.target, { cname: 'balancer.example' });
  expect(await queryDns(proof, [dns.address], undefined, short)).toEqual({
    ...nothing,
    names: ['cdn.example', proof.target],
  });
  expect(dns.queries).not.toContain(`CNAME ${proof.target}`);
});

test('a domain so long that no TXT can stand at it has none', async () => {
  const long = createProof(
    {
      domain: `${'a'.repeat(60)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(55)}.example`,
      pageId: 'a1b2c3d4',
      token: 'token',
    },
    'localhost',
  );
  dns.names.set(long.domain, { cname: long.target });
  expect(await queryDns(long, [dns.address], undefined, short)).toEqual({ ...nothing, names: [long.target] });
});
