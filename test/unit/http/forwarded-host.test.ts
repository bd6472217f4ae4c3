import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { createForwardedHost } from '../../../src/http/host-header.js';

const consoleUrl = 'https://console.example.com';
const settings = { publicUrl: 'https://status.example.com', port: 3000, consoleUrl };

function apply(host: string, forwarded: string | undefined, { isTrusted = true, publicUrl = settings.publicUrl } = {}) {
  const request = { headers: { host, 'x-forwarded-host': forwarded } } as unknown as IncomingMessage;
  createForwardedHost({ ...settings, publicUrl }, () => isTrusted)(request);
  return request.headers.host;
}

test.each([
  ['localhost:3000', 'status.acme.example'],
  ['127.0.0.1:3000', 'status.acme.example'],
  ['[::1]:3000', 'status.acme.example'],
  ['allclear', 'status.acme.example'],
  ['allclear.default.svc', 'status.acme.example'],
  ['web.internal', '2017f84a.status.example.com'],
  ['localhost:3000', 'evil.example, status.acme.example'],
  ['localhost:3000', 'status.acme.example, outer.internal'],
])('%s is replaced by the last public name of "%s"', (host, forwarded) => {
  expect(apply(host, forwarded)).toBe(/([\w.]+)(, outer\.internal)?$/.exec(forwarded)![1]);
});

test.each([
  ['status.acme.example', 'other.example'],
  ['status.example.com', 'other.example'],
  ['2017f84a.status.example.com', 'other.example'],
  ['console.example.com', 'other.example'],
  ['localhost', undefined],
  ['localhost', ''],
  ['localhost', 'bad host, <script>'],
  ['localhost', 'outer.internal'],
])('%s stays with "%s"', (host, forwarded) => expect(apply(host, forwarded)).toBe(host));

test('the header of anybody else does not count', () => {
  expect(apply('localhost', 'status.acme.example', { isTrusted: false })).toBe('localhost');
});

test('the base host of PUBLIC_URL stays, also where its name is internal', () => {
  expect(apply('allclear', 'other.example', { publicUrl: 'http://allclear' })).toBe('allclear');
  expect(apply('web', 'allclear', { publicUrl: 'http://allclear' })).toBe('allclear');
});
