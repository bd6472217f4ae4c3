import process from 'node:process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resolveWithDns } from '../../../src/http/dns/resolve-host.js';
import { requestGuarded } from '../../../src/http/guarded-request.js';
import { type DnsServer, startDns } from '../../support/dns.js';

let dns: DnsServer;
beforeAll(async () => {
  dns = await startDns();
});
afterAll(() => dns.stop());

const resolve = (host: string, timeoutMs = 10_000) =>
  resolveWithDns(host, AbortSignal.timeout(timeoutMs), [dns.address]);

test('both families are asked for, and one is enough', async () => {
  const ipv4 = { address: '192.0.2.1', family: 4 };
  const ipv6 = { address: '2001:db8::1', family: 6 };
  dns.names.set('both.example', { a: ['192.0.2.1'], aaaa: ['2001:db8::1'] });
  dns.names.set('four.example', { a: ['192.0.2.1'] });
  dns.names.set('six.example', { aaaa: ['2001:db8::1'] });
  expect(await resolve('both.example')).toEqual([ipv4, ipv6]);
  expect(await resolve('four.example')).toEqual([ipv4]);
  expect(await resolve('four.example.')).toEqual([ipv4]);
  expect(await resolve('six.example')).toEqual([ipv6]);
});

test('a name without an address, or that does not exist, is an error', async () => {
  dns.names.set('texts.example', { txt: ['text'] });
  await expect(resolve('texts.example')).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolve('unknown.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('nobody waits for a server that does not answer any longer than the signal says', async () => {
  dns.names.set('silent.example', { fails: 'silence' });
  await expect(resolve('silent.example', 50)).rejects.toMatchObject({ code: 'ECANCELLED' });
});

test('the name of a host that somebody else chose takes none of the threads that resolve all other names', async () => {
  const stop = new AbortController();
  const countThreads = () => process.getActiveResourcesInfo().filter(name => name === 'GetAddrInfoReqWrap').length;
  const request = { method: 'GET', url: 'https://host.invalid/', headers: {}, maxBodyLength: 1 } as const;
  const outcome = requestGuarded(request, { allowPrivate: false, stop: stop.signal }).catch(error => error);
  const count = countThreads();
  stop.abort();
  expect([count, await outcome]).toEqual([0, expect.any(Error)]);
});
