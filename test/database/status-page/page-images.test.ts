import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { exportPages } from '../../../src/status-page/server/export.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { sentencesByField } from '../../support/user-errors.js';
import { createToken } from '../../support/tokens.js';
import { requestPage, waitForResponse } from '../../support/visitor.js';

const service = useOwnService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'Meridian' })).id;
});

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const gif = (width: number, height: number) => {
  const bytes = Buffer.from('GIF89a\0\0\0\0\0\0\0', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes.toString('base64');
};

const upload = async (data: string, pageId = page, options = {}) => {
  const { json } = await service.graphql(
    `mutation ($page: ID!, $input: UploadImageInput!) {
      uploadImage(pageId: $page, input: $input) { url markdown width height page { id } }
    }`,
    { page: pageId, input: { data } },
    options,
  );
  return json.errors ? { error: json.errors[0].extensions } : json.data.uploadImage;
};

const visit = (path: string, headers = {}, host = `${page}.localhost`) =>
  requestPage(service.url, host, path, { headers });

describe('an image in updates', () => {
  test('is stored once, and has a URL with its hash and its size', async () => {
    const image = await upload(png);
    const url = expect.stringMatching(new RegExp(`^http://${page}\\.localhost:\\d+/images/[0-9a-f]{16}-1x1\\.png$`));
    expect(image).toEqual({ url, markdown: `![](${image.url})`, width: 1, height: 1, page: { id: page } });
    expect(await upload(png)).toEqual(image);
    const rows = await service.database.query('select page_id, format, bytes from page_image');
    expect(rows).toEqual([{ page_id: page, format: 'png', bytes: 70 }]);
  });

  test('is served for ever, with an ETag, and at no other size, format or page', async () => {
    const { pathname } = new URL((await upload(png)).url);
    const response = await visit(pathname);
    expect([response.status, response.bytes.toString('base64')]).toEqual([200, png]);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect((await visit(pathname, { 'If-None-Match': response.headers.etag })).status).toBe(304);
    expect((await visit(`/status/${page}${pathname}`, {}, 'localhost')).status).toBe(200);
    for (const path of ['1x1', '2x1'].map(size => pathname.replace(/1x1\.png/, `${size}.gif`)))
      expect((await visit(path)).status).toBe(404);
    expect((await visit(pathname.replace('1x1', '1x2'))).status).toBe(404);
    const other = (await createPage(service, {})).id;
    expect((await visit(pathname, {}, `${other}.localhost`)).status).toBe(404);
  });

  test.each([
    ['no image', Buffer.from('GIF').toString('base64'), '`data` is not a PNG, JPEG, GIF or WebP image.'],
    ['nothing', '', '`data` is not a PNG, JPEG, GIF or WebP image.'],
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>').toString('base64'),
      '`data` is not a PNG, JPEG, GIF or WebP image.',
    ],
    ['too many bytes', Buffer.alloc(2 * 1024 * 1024 + 1).toString('base64'), '`data` is larger than 2 MB.'],
    ['too many pixels', gif(4_097, 1), '`data` is larger than 4096 × 4096 pixels.'],
  ])('is refused: %s', async (_, data, sentence) => {
    const { error } = await upload(data);
    expect(sentencesByField({ errors: [{ extensions: error }] })).toEqual({ data: sentence });
  });

  test('is refused beyond 500 of a page, but not one that it has already', async () => {
    const full = (await createPage(service, {})).id;
    await service.database.query(
      `insert into page_image (page_id, hash, format, width, height, bytes, content)
      select $1, n::text, 'png', 1, 1, 0, '' from generate_series(1, 499) n`,
      [full],
    );
    const image = await upload(png, full);
    const { error } = await upload(gif(9, 9), full);
    expect(sentencesByField({ errors: [{ extensions: error }] })).toEqual({
      data: '`data` is more than the 500 images of a page.',
    });
    expect(await upload(png, full)).toEqual(image);
  });

  test('needs a token that may write, and stands in the audit log', async () => {
    expect((await upload(png, page, { token: null })).error.code).toBe('UNAUTHENTICATED');
    const rows = await service.database.query(
      `select distinct subject, subject_id from audit_entry where operation = 'uploadImage' and page_id = $1`,
      [page],
    );
    expect(rows).toEqual([{ subject: 'Page', subject_id: page }]);
  });

  test('is shown by the page, its feeds and its APIs, each with the address of the page', async () => {
    const { url } = await upload(png);
    const { pathname } = new URL(url);
    const content = `![The "map"](${url}) ![foreign](https://elsewhere.example/x.png) ![copy](https://elsewhere.example${pathname})`;
    const { json } = await service.graphql(
      `mutation ($page: ID!, $content: String!) {
        openIncident(pageId: $page, input: { subject: "Slow", content: $content, shouldPublish: false }) {
          notice { updates { nodes { contentHtml contentText } } }
        }
      }`,
      { page, content },
    );
    const element = (source: string, alt: string) =>
      `<img src="${source}" alt="${alt}" width="1" height="1" loading="lazy" />`;
    const render = (base: string) =>
      `<p>${element(`${base}${pathname}`, 'The &quot;map&quot;')} <span>foreign</span> ${element(`${base}${pathname}`, 'copy')}</p>`;
    const origin = url.replace(pathname, '');
    expect(json.data.openIncident.notice.updates.nodes).toEqual([
      {
        contentHtml: render(origin),
        contentText: `The "map" (${url}) foreign copy (https://elsewhere.example${pathname})`,
      },
    ]);
    const { text } = await waitForResponse(
      () => visit('/'),
      response => response.text.includes('<img'),
    );
    expect(text).toContain(render(''));
    expect(text).not.toContain('src="https:');
    expect((await visit(`/status/${page}/`, {}, 'localhost')).text).toContain(render(`/status/${page}`));
    expect((await visit('/feed.json')).text).toContain(JSON.stringify(render(origin)).slice(1, -1));
    const records = JSON.parse((await visit('/api/v1/notices')).text).notices;
    expect(records[0].latest_update.content).toBe(render(origin));
  });

  test('is exported with its page', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
    try {
      await exportPages(service, folder);
      const [, path] = /<img src="([^"]+)"/.exec(readFileSync(join(folder, page, 'index.html'), 'utf8'))!;
      expect(readFileSync(join(folder, page, path!)).toString('base64')).toBe(png);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('has the address of a custom domain, also in texts that were written before', async () => {
    const { pathname } = new URL((await upload(png)).url);
    await service.graphql(
      `mutation ($page: ID!) { setCustomDomain(pageId: $page, input: { domain: "status.meridian.example" }) { page { id } } }`,
      { page },
    );
    await service.database.query('update custom_domain set verified_at = now() where page_id = $1', [page]);
    expect((await upload(png)).url).toBe(`https://status.meridian.example${pathname}`);
    const { json } = await service.graphql(`{ notices(pageId: "${page}") { nodes { latestUpdate { contentHtml } } } }`);
    expect(json.data.notices.nodes[0].latestUpdate.contentHtml).toContain(
      `<img src="https://status.meridian.example${pathname}"`,
    );
    expect(
      await waitForResponse(
        () => visit(pathname, {}, 'status.meridian.example'),
        response => response.status === 200,
      ),
    ).toMatchObject({ status: 200 });
  });

  test('is behind the gate of a private page', async () => {
    const { pathname } = new URL((await upload(png)).url);
    await service.graphql(
      `mutation ($page: ID!) { setPageVisibility(pageId: $page, input: { visibility: PASSWORD, password: "correct horse" }) { page { id } } }`,
      { page },
    );
    await waitForResponse(
      () => visit(pathname),
      response => response.status !== 200,
    );
    expect((await visit(pathname)).bytes.toString('base64')).not.toBe(png);
  });

  test('is deleted with its page', async () => {
    await service.graphql(`mutation { deletePage(id: "${page}") { deletedId } }`);
    expect(await service.database.query('select 1 from page_image where page_id = $1', [page])).toEqual([]);
  });
});

test('accepts the largest image of a drafter, and refuses a body of more than 3 MB', async () => {
  const { id } = await createPage(service);
  const drafter = await createToken(service.database, 'drafter', { role: 'drafter', pageIds: [id] });
  const image = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(2 * 1024 * 1024 - 70)]);
  expect(await upload(image.toString('base64'), id, { token: drafter })).toMatchObject({ width: 1, height: 1 });
  const { status } = await service.call('POST', '/graphql', { json: { query: ' '.repeat(3 << 20) }, token: drafter });
  expect(status).toBe(413);
});
