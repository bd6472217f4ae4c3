import { describe, expect, test } from '@jest/globals';
import { ForbiddenTarget, type SsrfGuard } from '../../../../src/http/guarded-request.js';
import { post } from '../../../../src/notifications/channels/http/post.js';
import { parseRetryAfter } from '../../../../src/notifications/channels/outcome.js';
import { isPublicIp } from '../../../../src/http/public-ip.js';
import { certificate } from '../../../support/certificate.js';
import { useReceivers } from '../../../support/receivers.js';

const receiver = useReceivers();

const request = (url: string) => ({ url, headers: { 'x-mine': 'yes' }, body: 'hello' });
const publicOnly: SsrfGuard = { allowPrivate: false };
const unguarded: SsrfGuard = { allowPrivate: true };

describe('isPublicIp', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
  ])('accepts %s', address => {
    expect(isPublicIp(address)).toBe(true);
  });

  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '100::1',
    '5f00::1',
    '4000::1',
    'localhost',
    '',
  ])('rejects %s', address => {
    expect(isPublicIp(address)).toBe(false);
  });
});

describe('a request is refused', () => {
  test.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://127.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://localhost/',
    'https://10.0.0.1:8443/',
    'https://169.254.169.254/latest/meta-data',
    'https://0/',
  ])('to %s', async url => {
    await expect(post(request(url), publicOnly)).rejects.toBeInstanceOf(ForbiddenTarget);
  });

  test.each(['http://8.8.8.8/', 'ftp://8.8.8.8/', 'file:///etc/passwd', 'data:text/plain,x'])(
    'with another scheme: %s',
    async url => {
      await expect(post(request(url), publicOnly)).rejects.toThrow('Only https URLs are allowed.');
      if (!url.startsWith('http:'))
        await expect(post(request(url), unguarded)).rejects.toThrow('Only https URLs are allowed.');
    },
  );

  test('to a host whose addresses are all private', async () => {
    const resolve = async () =>
      ['10.0.0.1', '127.0.0.1', 'fd00::1'].map(address => ({ address, family: address.includes(':') ? 6 : 4 }));
    await expect(post(request('https://hooks.example/'), { ...publicOnly, resolve })).rejects.toBeInstanceOf(
      ForbiddenTarget,
    );
    await expect(post(request('https://hooks.example/'), { ...publicOnly, resolve: async () => [] })).rejects.toThrow(
      'does not resolve to a public address',
    );
  });
});

test('resolves a host once, and connects to the address that was checked', async () => {
  const { requests, port } = await receiver(() => ({ status: 200, body: 'here' }), true);
  let lookups = 0;
  const resolve = async (host: string) => {
    lookups += 1;
    expect(host).toBe('hooks.example');
    return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
  };
  const guard = { ...unguarded, resolve, ca: certificate.cert };
  expect(await post(request(`https://hooks.example:${port}/a?b=c`), guard)).toEqual({
    status: 200,
    body: 'here',
    contentType: null,
    retryAfter: null,
  });
  expect(lookups).toBe(1);
  expect(requests).toMatchObject([
    { method: 'POST', path: '/a?b=c', body: 'hello', headers: { host: `hooks.example:${port}`, 'x-mine': 'yes' } },
  ]);
});

test('refuses a host that has become private by the second request', async () => {
  const { requests, port } = await receiver(undefined, true);
  let lookups = 0;
  // The first address is public but unreachable; the second is private.
  const resolve = async () => {
    lookups += 1;
    return [{ address: lookups === 1 ? '192.0.43.8' : '127.0.0.1', family: 4 }];
  };
  await expect(
    post(request(`https://hooks.example:${port}/`), { ...publicOnly, resolve, timeoutMs: 100, ca: certificate.cert }),
  ).rejects.toThrow();
  await expect(
    post(request(`https://hooks.example:${port}/`), { ...publicOnly, resolve, timeoutMs: 100, ca: certificate.cert }),
  ).rejects.toBeInstanceOf(ForbiddenTarget);
  expect([requests, lookups]).toEqual([[], 2]);
});

test('connects only to the public addresses of a host', async () => {
  const { requests, port } = await receiver(undefined, true);
  const resolve = async () => ['127.0.0.1', '192.0.43.8'].map(address => ({ address, family: 4 }));
  await expect(
    post(request(`https://hooks.example:${port}/`), { ...publicOnly, resolve, timeoutMs: 100, ca: certificate.cert }),
  ).rejects.toThrow();
  expect(requests).toEqual([]);
});

test('requires a certificate that is valid for the host', async () => {
  const { port, requests } = await receiver(undefined, true);
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
  await expect(
    post(request(`https://wrong.example:${port}/`), { ...unguarded, resolve, ca: certificate.cert }),
  ).rejects.toThrow(/altname/i);
  await expect(post(request(`https://hooks.example:${port}/`), { ...unguarded, resolve })).rejects.toThrow(
    /self[- ]signed/i,
  );
  expect(requests).toEqual([]);
});

test('does not follow a redirect', async () => {
  const target = await receiver();
  const { url } = await receiver(() => ({ status: 307, headers: { location: target.url } }));
  expect(await post(request(url), unguarded)).toMatchObject({ status: 307 });
  expect(target.requests).toEqual([]);
});

test('reads 64 KB of a longer response', async () => {
  let written = 0;
  const { url } = await receiver((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384))) written += 16_384;
      if (!response.destroyed) written += 16_384;
    };
    response.on('drain', more).on('error', () => {});
    more();
    return undefined;
  });
  const { body } = await post(request(url), unguarded);
  expect(body).toHaveLength(65_536);
  // Including the buffers of the system.
  expect(written).toBeLessThan(20_000_000);
});

test('ends with a server that sends informational responses without end', async () => {
  const send = (count: number) =>
    receiver((_, response) => {
      for (let number = 0; number < count; number++) response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      return count > 10 ? undefined : { status: 204 };
    });
  expect(await post(request((await send(10)).url), unguarded)).toMatchObject({ status: 204 });
  await expect(post(request((await send(11)).url), { ...unguarded, timeoutMs: 1_000 })).rejects.toThrow(
    'The server sent too many informational responses (1xx).',
  );
});

test('ends with a server that sends extensions of chunks without end', async () => {
  let written = 0;
  const { url } = await receiver((_, { socket }) => {
    const part = 'x'.repeat(16_384);
    const more = () => {
      while (!socket!.destroyed && socket!.write(part)) written += part.length;
    };
    socket!.on('error', () => {}).on('drain', more);
    socket!.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;');
    more();
    return undefined;
  });
  await expect(post(request(url), { ...unguarded, timeoutMs: 20_000 })).rejects.toThrow(
    'The server sent more than the size of its body allows.',
  );
  // Including the buffers of the system.
  expect(written).toBeLessThan(20_000_000);
});

test.each(['headers', 'body'])('times out when the %s of a response never arrive', async what => {
  const { url } = await receiver((_, response) => {
    if (what === 'body') response.write('a part');
    return undefined;
  });
  await expect(post(request(url), { ...unguarded, timeoutMs: 100 })).rejects.toThrow('No response within 0.1 s');
});

test('times out when a host is never resolved', async () => {
  await expect(
    post(request('https://hooks.example/'), { ...publicOnly, timeoutMs: 50, resolve: () => new Promise(() => {}) }),
  ).rejects.toThrow('in time');
});

test('prevents header injection from a value', async () => {
  const { url, requests } = await receiver();
  await expect(
    post({ url, headers: { authorization: 'Bearer a\r\nx-evil: 1' }, body: '' }, unguarded),
  ).rejects.toThrow();
  expect(requests).toEqual([]);
});

test('parses Retry-After as seconds or a date, within limits', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  expect(
    ['30', '0', '99999999', 'Fri, 20 Nov 2026 12:02:00 GMT', 'Fri, 20 Nov 2026 11:00:00 GMT', 'soon', null].map(value =>
      parseRetryAfter(value, now),
    ),
  ).toEqual([30, 0, 86_400, 120, 0, undefined, undefined]);
});
