import { describe, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';

const html = { headers: { accept: 'text/html' } };

describe('the root of a service', () => {
  const service = useService();
  const getRoot = (host = 'localhost') => requestPage(service.url, host, '/', html);

  test('says so without pages, shows the only page, and lists several by name', async () => {
    await service.database.query('delete from page');
    expect((await getRoot()).text).toContain('There is no public page yet.');

    const first = await createPage(service, { name: 'Beta <b>' });
    await waitForResponse(getRoot, ({ text }) => text.includes('<h1 class="name">'), 10_000);
    expect((await getRoot()).text).toContain(`href="/status/${first.id}/history"`);

    const second = await createPage(service, { name: 'Acme' });
    const hidden = await createPage(service, { name: 'Internal', visible_to_search: false });
    await waitForResponse(getRoot, ({ text }) => text.includes('<h1>Status pages</h1>'), 10_000);
    const { text } = await getRoot();
    expect(text.indexOf(second.id)).toBeLessThan(text.indexOf(first.id));
    expect(text).toContain('Beta &lt;b&gt;');
    expect(text).not.toContain(hidden.id);
  });

  test('is not shown at a host that could be the domain of a page', async () => {
    expect((await getRoot('status.example.com')).status).toBe(404);
  });
});

describe('the root of a service with ROOT_PAGE=none', () => {
  const service = useService({ rootPage: 'none' });

  test('is a plain 404', async () => {
    await createPage(service, { name: 'Acme' });
    expect(await requestPage(service.url, 'localhost', '/', html)).toMatchObject({ status: 404, text: 'Not found.\n' });
  });
});
