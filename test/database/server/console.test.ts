import { expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { requestPage } from '../../support/visitor.js';

const service = useService();
const get = (path: string, headers: Record<string, string> = {}) => service.get(path, { token: null, headers });

test('serves one document for all paths of the console, with a strict policy', async () => {
  for (const path of ['/console/', '/console/new/incident', '/console/pages/12345678/notices/9']) {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.text).toContain('<div id="root">');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    const policy = response.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:/);
  }
  const redirect = await get('/console');
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/console/']);
});

test('serves its assets as immutable, compressed beforehand, and revalidates the document', async () => {
  const document = await get('/console/', { 'accept-encoding': 'identity' });
  const [script] = /assets\/[\w-]+\.js/.exec(document.text)!;
  const plain = await get(`/console/${script}`, { 'accept-encoding': 'identity' });
  const compressed = await get(`/console/${script}`, { 'accept-encoding': 'br' });
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(compressed.headers.get('content-encoding')).toBe('br');
  expect(compressed.text).toBe(plain.text);
  const etag = document.headers.get('etag')!;
  const again = await get('/console/', { 'accept-encoding': 'identity', 'if-none-match': etag });
  expect(again.status).toBe(304);
  expect((await get('/console/assets/none-12345678.js')).status).toBe(404);
});

test('is not on the hosts of pages, nor on domains that no page has verified, and neither is the sign-in', async () => {
  const { id } = await createPage(service);
  const secret = 'a'.repeat(43);
  const paths = ['/console/', '/sign-in', '/sign-in/code', `/sign-in/${secret}`, '/sign-in/openid-connect'];
  for (const host of [`${id}.localhost:3000`, 'status.example.com'])
    for (const path of paths)
      expect([host, path, (await requestPage(service.url, host, path)).status]).toEqual([host, path, 404]);
  for (const host of ['localhost', '127.0.0.1:3000', 'intranet'])
    expect([host, (await requestPage(service.url, host, '/sign-in')).status]).toEqual([host, 200]);
});

test('shows a document in a frame of its own origin, without scripts and without an origin', async () => {
  const body = 'html=<!doctype html><p>Preview = this</p>\r\n';
  const send = (headers: Record<string, string>) =>
    service.call('POST', '/console/preview', {
      token: null,
      body,
      headers: { 'content-type': 'text/plain', ...headers },
    });
  const origin = 'http://localhost:3000';
  const shown = await send({ origin, 'sec-fetch-dest': 'iframe' });
  expect([shown.status, shown.text]).toEqual([200, '<!doctype html><p>Preview = this</p>']);
  const policy = shown.headers.get('content-security-policy')!;
  expect(policy).toContain("sandbox; default-src 'none'");
  expect(policy).not.toMatch(/script-src|allow-/);
  const refused: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin, 'sec-fetch-dest': 'document' },
  ];
  for (const headers of refused) expect((await send(headers)).status).toBe(403);
});
