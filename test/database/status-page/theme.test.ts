import { beforeAll, describe, expect, test } from '@jest/globals';
import { timelineTheme } from '../../support/existing-themes.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';
import { waitForResponse, requestPage } from '../../support/visitor.js';
import { writeZip } from '../../support/zip-writer.js';

const service = useService();
let page: string;
const visitPage = (path: string) => requestPage(service.url, `${page}.localhost`, path);
const visitPath = (path: string) => requestPage(service.url, 'localhost', `/status/${page}/${path}`);
const queryTheme = async (fields: string) =>
  (await service.graphql(`query($page: ID!) { page(id: $page) { theme { ${fields} } } }`, { page })).json.data.page
    .theme;

async function uploadTheme(files: Record<string, string | object>) {
  const entries = Object.entries(files).map(([name, content]) => ({
    name,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }));
  const body = new FormData();
  body.append('zip', new Blob([new Uint8Array(writeZip(entries))]), 'theme.zip');
  expect((await service.call('PATCH', `/v1/pages/${page}/theme`, { body })).status).toBe(200);
}

beforeAll(async () => {
  page = (await createPage(service, { name: 'Meridian & Sons' })).id;
  await service.post(`/v1/pages/${page}/components`, { name: 'Payments' });
});

describe('a page with a theme', () => {
  beforeAll(() => uploadTheme(timelineTheme));

  test('is rendered with it, and again after each change', async () => {
    await waitForResponse(
      () => visitPage('/'),
      ({ text }) => text.includes('<p class="ok">Meridian &amp; Sons is up</p>'),
    );
    await service.post(`/v1/pages/${page}/notices`, {
      subject: 'Payments are slow',
      initial_comment: 'We **look** into it.',
    });
    const { text, headers } = await waitForResponse(
      () => visitPage('/'),
      visited => visited.text.includes('Payments are slow'),
    );
    expect(text).toContain('We <strong>look</strong> into it.');
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy']).toBeUndefined();
  });

  test('renders embedded sections with the standard page', async () => {
    const { text } = await visitPage('/?embed=banner,notices');
    expect(text).toContain('class="banner"');
    expect(text).toContain('Payments are slow');
    expect(text).not.toContain('style.css');
  });

  test('refers to assets that are served with a long cache lifetime', async () => {
    const sheet = /href="(\/theme\/[0-9a-f]{16}\/style\.css\?v=1)"/.exec((await visitPage('/')).text)![1]!;
    const style = await visitPage(sheet);
    expect([style.status, style.headers['content-type'], style.headers['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    const svg = await visitPage(/url\("([^"]+)"\)/.exec(style.text)![1]!);
    expect([svg.status, svg.headers['content-type'], svg.headers['content-security-policy']]).toEqual([
      200,
      'image/svg+xml',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ]);
    expect((await visitPage('/theme/none/missing.svg')).status).toBe(404);
    const outdated = await visitPage(sheet.replace(/[0-9a-f]{16}/, 'outdated'));
    expect([outdated.status, outdated.headers.location]).toEqual([303, sheet.replace('?v=1', '')]);
  });

  test('has a sandbox policy below a path of the service, and so have its assets', async () => {
    const { text, headers } = await visitPath('');
    expect(headers['content-security-policy']).toBe('sandbox allow-scripts allow-forms allow-popups');
    const sheet = new RegExp(`href="(/status/${page}/theme/[0-9a-f]{16}/style\\.css\\?v=1)"`).exec(text)![1]!;
    const style = await requestPage(service.url, 'localhost', sheet);
    expect([
      style.status,
      style.headers['content-security-policy'],
      style.headers['access-control-allow-origin'],
    ]).toEqual([200, 'sandbox allow-scripts allow-forms allow-popups', '*']);
    expect(style.text).toContain(`url("/status/${page}/theme/`);
  });

  test('serves the error page and the maintenance page of the theme', async () => {
    expect((await visitPage('/error-page')).text).toContain('<h1>Something went wrong</h1>');
    expect((await visitPage('/maintenance-page')).text).toContain('<h1>Back soon</h1>');
  });

  test('shows the standard page when an accepted theme fails later, and reports since when and why', async () => {
    await uploadTheme({
      'status-page.liquid': "themed{% if page.name contains 'Brothers' %}{% include 'missing' %}{% endif %}",
    });
    await waitForResponse(
      () => visitPage('/'),
      ({ text }) => text === 'themed',
    );
    expect(await queryTheme('failingSince failure')).toEqual({ failingSince: null, failure: null });
    await service.patch(`/v1/pages/${page}`, { name: 'Meridian Brothers' });
    const { status, headers } = await waitForResponse(
      () => visitPage('/'),
      ({ text }) => text.includes('<title>') && text.includes('Meridian Brothers'),
    );
    expect([status, headers['content-security-policy']]).toEqual([200, expect.stringContaining("default-src 'none'")]);
    expect(await queryTheme('failingSince failure')).toEqual({
      failingSince: expect.stringMatching(/^\d{4}-/),
      failure: '"status-page.liquid", line 1: there is no "includes/missing.liquid"',
    });
    await service.patch(`/v1/pages/${page}`, { name: 'Meridian' });
    await waitForResponse(
      () => visitPage('/'),
      ({ text }) => text === 'themed',
    );
    expect(await queryTheme('failingSince failure')).toEqual({ failingSince: null, failure: null });
  });

  test('shows the standard page after the theme is deleted', async () => {
    await service.delete(`/v1/pages/${page}/theme`);
    await waitForResponse(
      () => visitPage('/'),
      ({ text }) => text.includes('<title>'),
    );
    expect((await visitPage('/error-page')).status).toBe(404);
  });

  test('is rendered with an icon font to whose URL the style sheet appends a version or a fragment', async () => {
    await uploadTheme({
      'status-page.liquid': "Icons {{ 'icons.css' | asset_url }}",
      'assets/icons.css': `@font-face { src: url('{{ 'icons.eot' | asset_url }}&v=4.7.0#iefix') format('embedded-opentype'),
        url('{{ 'icons.eot' | asset_url }}?#iefix'), url('{{ 'icons.woff' | asset_url }}&v=4.7.0') }`,
      'assets/icons.eot': 'eot',
      'assets/icons.woff': 'woff',
    });
    const { text } = await waitForResponse(
      () => visitPage('/'),
      visited => visited.text.startsWith('Icons '),
    );
    const sheet = await visitPage(text.slice('Icons '.length));
    const urls = [...sheet.text.matchAll(/url\('([^']+)'\)/g)].map(match => match[1]!);
    expect(urls.map(url => url.replace(/[0-9a-f]{16}/, 'hash'))).toEqual([
      '/theme/hash/icons.eot?v=1&v=4.7.0#iefix',
      '/theme/hash/icons.eot?v=1?#iefix',
      '/theme/hash/icons.woff?v=1&v=4.7.0',
    ]);
    for (const url of urls) {
      const { status, headers } = await visitPage(url.replace(/#.*/, ''));
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  test('is rendered with a theme that follows a deleted one', async () => {
    await uploadTheme({ 'status-page.liquid': 'Another theme' });
    await waitForResponse(
      () => visitPage('/'),
      ({ text }) => text === 'Another theme',
    );
  });
});
