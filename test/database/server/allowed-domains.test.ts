import { describe, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useOwnService, useService } from '../../support/service.js';

const service = useService();
const ask = async (query: string) => {
  const { status, headers } = await service.get(`/domains/allowed${query}`, { token: null });
  return [status, headers.get('cache-control')];
};

test('are the custom domains that pages have verified, and no others', async () => {
  const { id, path } = await createPage(service, { name: 'Acme' });
  await service.post(`${path}/custom_domain`, { domain: 'status.acme.example' });
  expect(await ask('?domain=status.acme.example')).toEqual([404, 'no-store']);
  await service.database.query('update custom_domain set verified_at = now() where page_id = $1', [id]);
  expect(await ask('?domain=status.acme.example')).toEqual([200, 'no-store']);
  expect(await ask('?domain=STATUS.acme.example')).toEqual([200, 'no-store']);
  for (const query of ['?domain=other.example', '?domain=', '', '?domain=a&domain=b', '?domain=1.2.3.4', '?domain=%00'])
    expect(await ask(query)).toEqual([404, 'no-store']);
});

test('include localhost if it is the base host', async () => {
  expect(await ask('?domain=localhost')).toEqual([200, 'no-store']);
  expect(await ask('?domain=elsewhere')).toEqual([404, 'no-store']);
});

describe('behind a proxy', () => {
  const proxied = useOwnService({ trustedProxies: ['127.0.0.1'], rateLimit: 2 });

  test('are looked up as often as the proxy asks, and for its clients within their limit', async () => {
    const statusesOf = async (headers: Record<string, string>) => {
      const statuses: number[] = [];
      for (let asked = 0; asked < 20; asked++)
        statuses.push((await proxied.get('/domains/allowed?domain=other.example', { token: null, headers })).status);
      return new Set(statuses);
    };
    expect(await statusesOf({})).toEqual(new Set([404]));
    expect(await statusesOf({ 'x-forwarded-for': '203.0.113.7' })).toEqual(new Set([404, 429]));
  });
});

describe('below PUBLIC_URL', () => {
  const hosted = useOwnService({ publicUrl: 'https://status.example.com', consoleUrl: 'https://console.example.com' });

  test('are the host of each page, the base host and that of the console', async () => {
    const { id } = await createPage(hosted);
    const statusOf = async (domain: string) =>
      (await hosted.get(`/domains/allowed?domain=${domain}`, { token: null })).status;
    const allowed = [`${id}.status.example.com`, 'status.example.com', 'console.example.com'];
    for (const domain of allowed) expect([domain, await statusOf(domain)]).toEqual([domain, 200]);
    await hosted.database.query('delete from page where id = $1', [id]);
    for (const domain of [allowed[0]!, 'www.status.example.com', `x.${allowed[0]}`, 'example.com'])
      expect([domain, await statusOf(domain)]).toEqual([domain, 404]);
  });
});
