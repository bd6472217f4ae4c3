import { expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

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
