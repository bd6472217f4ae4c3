import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closeWorkshop } from '../../../src/status-page/themes/process-pool.js';
import { timelineTheme } from '../../support/existing-themes.js';
import { startTestService, type TestService } from '../../support/service.js';
import { eventually, visit } from '../../support/visitor.js';
import { writeZip } from '../../support/zip-writer.js';

let service: TestService;
let page: string;
const look = (path: string) => visit(service.url, `${page}.localhost`, path);
const lookBelow = (path: string) => visit(service.url, 'localhost', `/status/${page}/${path}`);
const graph = async (fields: string) =>
  (await service.graphql(`query($page: ID!) { page(id: $page) { theme { ${fields} } } }`, { page })).json.data.page
    .theme;

async function wear(files: Record<string, string | object>) {
  const entries = Object.entries(files).map(([name, content]) => ({
    name,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  }));
  const body = new FormData();
  body.append('zip', new Blob([new Uint8Array(writeZip(entries))]), 'theme.zip');
  expect((await service.call('PATCH', `/v1/pages/${page}/theme`, { body })).status).toBe(200);
}

beforeAll(async () => {
  service = await startTestService();
  page = (await service.post('/v1/pages', { name: 'Meridian & Sons' })).json.response.id;
  await service.post(`/v1/pages/${page}/components`, { name: 'Payments' });
});
afterAll(async () => {
  await service.stop();
  closeWorkshop();
});

describe('a page in a theme', () => {
  beforeAll(() => wear(timelineTheme));

  test('is drawn by it from then on, and again with each change', async () => {
    await eventually(
      () => look('/'),
      ({ text }) => text.includes('<p class="ok">Meridian &amp; Sons is up</p>'),
    );
    await service.post(`/v1/pages/${page}/notices`, {
      subject: 'Payments are slow',
      initial_comment: 'We **look** into it.',
    });
    const { text, headers } = await eventually(
      () => look('/'),
      seen => seen.text.includes('Payments are slow'),
    );
    expect(text).toContain('We <strong>look</strong> into it.');
    expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' });
    expect(headers['content-security-policy']).toBeUndefined();
  });

  test('leaves sections in frames to the standard page', async () => {
    const { text } = await look('/?embed=banner,notices');
    expect(text).toContain('class="banner"');
    expect(text).toContain('Payments are slow');
    expect(text).not.toContain('style.css');
  });

  test('names files that are there, to be kept for ever', async () => {
    const sheet = /href="(\/theme\/[0-9a-f]{16}\/style\.css)"/.exec((await look('/')).text)![1]!;
    const style = await look(sheet);
    expect([style.status, style.headers['content-type'], style.headers['cache-control']]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    const picture = await look(/url\("([^"]+)"\)/.exec(style.text)![1]!);
    expect([picture.status, picture.headers['content-type'], picture.headers['content-security-policy']]).toEqual([
      200,
      'image/svg+xml',
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ]);
    expect((await look('/theme/none/missing.svg')).status).toBe(404);
  });

  test('has an origin of its own below a path of the service, with all its files', async () => {
    const { text, headers } = await lookBelow('');
    expect(headers['content-security-policy']).toBe('sandbox allow-scripts allow-forms allow-popups');
    const sheet = new RegExp(`href="(/status/${page}/theme/[0-9a-f]{16}/style\\.css)"`).exec(text)![1]!;
    const style = await visit(service.url, 'localhost', sheet);
    expect([
      style.status,
      style.headers['content-security-policy'],
      style.headers['access-control-allow-origin'],
    ]).toEqual([200, 'sandbox allow-scripts allow-forms allow-popups', '*']);
    expect(style.text).toContain(`url("/status/${page}/theme/`);
  });

  test('has what a site shows while it is down', async () => {
    expect((await look('/error-page')).text).toContain('<h1>Something went wrong</h1>');
    expect((await look('/maintenance-page')).text).toContain('<h1>Back soon</h1>');
  });

  test('shows the standard page when a theme that was taken fails later, and tells since when and why', async () => {
    await wear({
      'status-page.liquid': "themed{% if page.name contains 'Brothers' %}{% include 'missing' %}{% endif %}",
    });
    await eventually(
      () => look('/'),
      ({ text }) => text === 'themed',
    );
    expect(await graph('failingSince failure')).toEqual({ failingSince: null, failure: null });
    await service.patch(`/v1/pages/${page}`, { name: 'Meridian Brothers' });
    const { status, headers } = await eventually(
      () => look('/'),
      ({ text }) => text.includes('<title>') && text.includes('Meridian Brothers'),
    );
    expect([status, headers['content-security-policy']]).toEqual([200, expect.stringContaining("default-src 'none'")]);
    expect(await graph('failingSince failure')).toEqual({
      failingSince: expect.stringMatching(/^\d{4}-/),
      failure: '"status-page.liquid", line 1: there is no "includes/missing.liquid"',
    });
    await service.patch(`/v1/pages/${page}`, { name: 'Meridian' });
    await eventually(
      () => look('/'),
      ({ text }) => text === 'themed',
    );
    expect(await graph('failingSince failure')).toEqual({ failingSince: null, failure: null });
  });

  test('is the standard page again once the theme is taken off', async () => {
    await service.delete(`/v1/pages/${page}/theme`);
    await eventually(
      () => look('/'),
      ({ text }) => text.includes('<title>'),
    );
    expect((await look('/error-page')).status).toBe(404);
  });

  test('is drawn by the theme that comes after one was taken off', async () => {
    await wear({ 'status-page.liquid': 'Another theme' });
    await eventually(
      () => look('/'),
      ({ text }) => text === 'Another theme',
    );
  });
});
