import { expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService({ publicUrl: 'http://192.0.2.1:3000' });

test('where PUBLIC_URL has an IP address, links lead to the path of the page, and its image has the address', async () => {
  const { id, path } = await createPage(service);
  const { json } = await service.post(`${path}/notices`, {
    type: 'unplanned',
    subject: 'Down',
    content: 'All of it.',
    notify: false,
  });
  const url = `http://192.0.2.1:3000/status/${id}/`;
  expect(json.response.link).toMatch(`${url}notices/`);
  const page = await service.get(`/status/${id}/`, { token: null });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(`<link rel="canonical" href="${url}">`)]);
  expect((await service.get(`/status/${id}/og.png`, { token: null })).status).toBe(200);
});
