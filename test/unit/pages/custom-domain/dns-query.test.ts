import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { queryDns } from '../../../../src/pages/custom-domain/dns-query.js';
import { createProof } from '../../../../src/pages/custom-domain/dns-proof.js';
import { type DnsServer, startDns } from '../../../support/dns.js';

let dns: DnsServer;
beforeAll(async () => {
  dns = await startDns();
});
afterAll(() => dns.stop());
afterEach(() => dns.names.clear());

const proof = createProof({ domain: 'status.acme.example', pageId: 'a1b2c3d4', token: 'token' }, 'localhost');
const timeouts = { tryMs: 50, tries: 1, totalMs: 5_000 };
const noRecords = {
  cnames: [],
  isEndless: false,
  texts: [],
  failures: { cname: null, txt: null },
  addresses: { domain: [], target: [] },
};

test('reports a timeout for the query that has no response, and not for the other', async () => {
  dns.names.set(proof.domain, { fails: 'silence' }).set(proof.txtName, { txt: ['x'] });
  expect(await queryDns(proof, [dns.address], undefined, timeouts)).toEqual({
    ...noRecords,
    texts: ['x'],
    failures: { cname: 'ETIMEOUT', txt: null },
  });
});

test('aborts all queries at the total timeout', async () => {
  for (const name of [proof.domain, proof.txtName]) dns.names.set(name, { fails: 'silence' });
  expect(await queryDns(proof, [dns.address], undefined, { tryMs: 60_000, tries: 1, totalMs: 50 })).toEqual({
    ...noRecords,
    failures: { cname: 'ETIMEOUT', txt: 'ETIMEOUT' },
  });
});

test('ends at once when it is stopped', async () => {
  const stop = new AbortController();
  dns.names
    .set(proof.domain, { fails: 'silence', cname: 'x' })
    .set(proof.txtName, { beforeResponse: async () => stop.abort(), fails: 'SERVFAIL' });
  const records = await queryDns(proof, [dns.address], stop.signal, { tryMs: 60_000, tries: 1, totalMs: 60_000 });
  expect(records.failures.cname).toBe('ETIMEOUT');
  const before = dns.queries.length;
  expect((await queryDns(proof, [dns.address], stop.signal)).failures).toEqual({ cname: 'ETIMEOUT', txt: 'ETIMEOUT' });
  expect(dns.queries).toHaveLength(before);
});

test('returns names in lower case, and queries nothing beyond the target', async () => {
  dns.names
    .set(proof.domain, { cname: 'CDN.Example' })
    .set('cdn.example', { cname: 'A1B2C3D4.LocalHost' })
    .set(proof.target, { cname: 'balancer.example' });
  expect(await queryDns(proof, [dns.address], undefined, timeouts)).toEqual({
    ...noRecords,
    cnames: ['cdn.example', proof.target],
  });
  expect(dns.queries).not.toContain(`CNAME ${proof.target}`);
});

test('reports no TXT record for a domain that is too long for one', async () => {
  const long = createProof(
    {
      domain: `${'a'.repeat(60)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(55)}.example`,
      pageId: 'a1b2c3d4',
      token: 'token',
    },
    'localhost',
  );
  dns.names.set(long.domain, { cname: long.target });
  expect(await queryDns(long, [dns.address], undefined, timeouts)).toEqual({ ...noRecords, cnames: [long.target] });
});

test('asks for addresses of the domain and the target where there is no CNAME, and no TXT that proves it', async () => {
  dns.names
    .set(proof.domain, { a: ['192.0.2.1'], aaaa: ['2001:db8::1'] })
    .set(proof.target, { a: ['192.0.2.1', '192.0.2.2'] });
  const addresses = { domain: ['192.0.2.1', '2001:db8::1'], target: ['192.0.2.1', '192.0.2.2'] };
  expect(await queryDns(proof, [dns.address], undefined, timeouts)).toEqual({ ...noRecords, addresses });
  dns.names.set(proof.txtName, { txt: [proof.txtValue] });
  expect((await queryDns(proof, [dns.address], undefined, timeouts)).addresses).toEqual(noRecords.addresses);
});
