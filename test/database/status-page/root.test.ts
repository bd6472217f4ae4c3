import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { loadSnapshot } from '../../../src/status-page/view/load-snapshot.js';
import { createPage } from '../../support/factories.js';
import { createDiskSnapshots, startPageServer } from '../../support/page-server.js';
import { setVisibility } from '../../support/private-pages.js';
import { useOwnService, useService } from '../../support/service.js';
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

  test('asks the database once for those who request the list at the same time', async () => {
    await service.database.query('delete from page');
    for (const name of ['Acme', 'Beta']) await createPage(service, { name });
    await waitForResponse(getRoot, ({ text }) => text.includes('Acme') && text.includes('Beta'), 10_000);
    const query = jest.spyOn(service.database, 'query');
    try {
      const responses = await Promise.all(Array.from({ length: 50 }, () => getRoot()));
      expect(responses.every(({ text }) => text.includes('Acme'))).toBe(true);
      const lists = query.mock.calls.filter(([sql]) => sql.includes('visible_to_search and visibility'));
      expect(lists.length).toBeLessThan(10);
    } finally {
      query.mockRestore();
    }
  });

  test('shows a public page without the database, and no other that is on the disk', async () => {
    await service.database.query('delete from page');
    const pages = [await createPage(service, { name: 'Hidden' }), await createPage(service, { name: 'Public' })];
    const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
    const startWith = async (ids: string[]) => {
      const disk = createDiskSnapshots(folder);
      for (const id of ids) disk.save(id, await loadSnapshot(service.database, id));
      await disk.flush();
      return startPageServer({ diskSnapshots: disk });
    };
    try {
      for (const visibility of ['UNLISTED', 'MEMBERS']) {
        await setVisibility(service, pages[0]!.id, { visibility });
        const alone = await startWith([pages[0]!.id]);
        expect((await requestPage(alone.url, 'localhost', '/', html)).text).not.toContain('Hidden');
        await alone.stop();
      }
      const both = await startWith(pages.map(({ id }) => id));
      expect((await requestPage(both.url, 'localhost', '/', html)).text).toContain('Public');
      await both.stop();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('is not shown at a host that could be the domain of a page', async () => {
    expect((await getRoot('status.example.com')).status).toBe(404);
  });
});

describe('the root of a service with ROOT_PAGE=none', () => {
  const service = useOwnService({ rootPage: 'none' });

  test('is a plain 404', async () => {
    await createPage(service, { name: 'Acme' });
    expect(await requestPage(service.url, 'localhost', '/', html)).toMatchObject({ status: 404, text: 'Not found.\n' });
  });
});

describe('behind a proxy that does not pass on the Host header', () => {
  const service = useOwnService({ trustedProxies: ['127.0.0.1'] });

  test('the page is that of X-Forwarded-Host', async () => {
    const pages = [await createPage(service, { name: 'Acme' }), await createPage(service, { name: 'Beta' })];
    for (const [index, { id }] of pages.entries()) {
      const forwarded = { headers: { ...html.headers, 'x-forwarded-host': `${id}.localhost` } };
      const { text } = await requestPage(service.url, 'localhost:3000', '/', forwarded);
      expect([text.includes('Acme'), text.includes('Beta')]).toEqual([index === 0, index === 1]);
    }
    const [acme, beta] = pages.map(({ id }) => `${id}.localhost`);
    const misled = { headers: { ...html.headers, 'x-forwarded-host': beta! } };
    expect((await requestPage(service.url, acme!, '/', misled)).text).not.toContain('Beta');
  });
});
