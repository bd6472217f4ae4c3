import { beforeEach, describe, expect, test } from '@jest/globals';
import { hashTables } from '../../support/access-records.js';
import { createComponent, createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';
import { writeZip } from '../../support/zip-writer.js';

const service = useService();
let page: { id: string; path: string };
beforeEach(async () => {
  page = await createPage(service, { name: 'Meridian Freight' });
});

const query = `query ($pageId: ID!, $input: PreviewAppearanceInput!) {
  previewAppearance(pageId: $pageId, input: $input) { html failure } }`;
const preview = async (input: object, token = service.tokens.write) =>
  (await service.graphql(query, { pageId: page.id, input }, { token })).json;
const toZip = (files: Record<string, string>): string =>
  writeZip(Object.entries(files).map(([name, content]) => ({ name, content }))).toString('base64');

describe('previewAppearance', () => {
  test('shows the components of the page in each situation, and stores nothing', async () => {
    const parent = await createComponent(service, page.path, { name: 'Booking' });
    await createComponent(service, page.path, { name: 'Rates', parent_id: parent.id });
    const before = await hashTables(service.database);
    const texts: Record<string, string> = {};
    for (const situation of ['ALL_WELL', 'INCIDENT', 'MAINTENANCE', 'FIRST_DAY'])
      texts[situation] = (await preview({ situation })).data.previewAppearance.html;
    for (const text of Object.values(texts)) expect(text).toContain('Meridian Freight');
    expect(texts.ALL_WELL).toContain('Rates');
    expect(texts.ALL_WELL).not.toContain('Some requests fail');
    expect(texts.INCIDENT).toContain('Some requests fail');
    expect(texts.INCIDENT).toContain('Partially degraded');
    expect(texts.MAINTENANCE).toContain('Renewal of certificates');
    expect(texts.FIRST_DAY).not.toContain('Rates');
    expect(await hashTables(service.database)).toBe(before);
  });

  test('shows the given colours, and refuses what is none', async () => {
    const shown = await preview({ situation: 'ALL_WELL', brand: { colorBodyBackground: '#fdf6e3' } });
    expect(shown.data.previewAppearance.html).toContain('#fdf6e3');
    const refused = await preview({ situation: 'ALL_WELL', brand: { colorBodyBackground: 'red;}' } });
    expect(refused.errors[0]).toMatchObject({ extensions: { code: 'INVALID' } });
    expect(refused.errors[0].message).toContain('colorBodyBackground');
  });

  test('shows a theme that is not stored, with its assets in the document', async () => {
    const theme = toZip({
      'status-page.liquid':
        '<link rel="stylesheet" href="{{ "page.css" | asset_url }}"><h1>{{ page.name }}, {{ page.state }}</h1>' +
        '<img src="{{ "a logo.svg" | asset_url }}"><img src="{{ "none.svg" | asset_url }}">',
      'assets/page.css': 'h1 { background: url({{ "a logo.svg" | asset_url }}) }',
      'assets/a logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    });
    const { html, failure } = (await preview({ situation: 'INCIDENT', theme })).data.previewAppearance;
    expect(failure).toBeNull();
    expect(html).toContain('<h1>Meridian Freight, degraded</h1>');
    const [, style] = /href="data:text\/css;charset=utf-8;base64,([^"]+)"/.exec(html)!;
    expect(Buffer.from(style!, 'base64').toString()).toContain('url(data:image/svg+xml;base64,');
    expect(html).toContain('src="data:image/svg+xml;base64,');
    expect(
      (await service.graphql('query ($id: ID!) { page(id: $id) { theme { id } } }', { id: page.id })).json.data.page,
    ).toEqual({ theme: null });
  });

  test('says why a theme fails, and shows the standard theme in place of the stored one on request', async () => {
    const failing = await preview({
      situation: 'INCIDENT',
      theme: toZip({ 'status-page.liquid': '{% include "none" %}' }),
    });
    expect(failing.data.previewAppearance).toEqual({ html: null, failure: expect.stringContaining('includes/none') });
    const broken = await preview({ situation: 'INCIDENT', theme: Buffer.from('no ZIP').toString('base64') });
    expect(broken.data.previewAppearance.failure).toMatch(/ZIP/);
    const zip = toZip({ 'status-page.liquid': 'A theme of {{ page.name }}' });
    const set =
      'mutation ($pageId: ID!, $zip: Bytes!) { setTheme(pageId: $pageId, input: { zip: $zip }) { page { id } } }';
    expect((await service.graphql(set, { pageId: page.id, zip })).json.errors).toBeUndefined();
    expect((await preview({ situation: 'ALL_WELL' })).data.previewAppearance.html).toBe('A theme of Meridian Freight');
    expect((await preview({ situation: 'ALL_WELL', theme: null })).data.previewAppearance.html).toContain('<!doctype');
  });

  test('has a cost, so that a document can have a few and not twenty', async () => {
    const several = (count: number) =>
      service.graphql(
        `query ($id: ID!) { ${Array.from(
          { length: count },
          (_, index) => `a${index}: previewAppearance(pageId: $id, input: { situation: INCIDENT }) { failure }`,
        ).join(' ')} }`,
        { id: page.id },
      );
    expect((await several(20)).json.errors[0]).toMatchObject({
      message: 'The response could hold 200,000 records; the limit is 100,000. Ask for less at once.',
      extensions: { code: 'BAD_REQUEST' },
    });
    expect(Object.values((await several(4)).json.data)).toEqual(Array.from({ length: 4 }, () => ({ failure: null })));
  });

  test('is for owners', async () => {
    const publisher = await createToken(service.database, 'p', { role: 'publisher', pageIds: [page.id] });
    expect((await preview({ situation: 'ALL_WELL' }, publisher)).errors[0].extensions.code).toBe('FORBIDDEN');
  });
});
