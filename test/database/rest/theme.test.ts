import { describe, expect, test } from '@jest/globals';
import {
  expectConditionalRequests,
  expectSameNotFound,
  anyTimestamp,
  invalidBody,
  sendAs,
  versionAt,
} from '../../support/record-rules.js';
import { createPage } from '../../support/factories.js';
import { type TestRequest, useService } from '../../support/service.js';
import { writeZip } from '../../support/zip-writer.js';

const service = useService();

const themePath = (page: string) => `/v1/pages/${page}/theme`;
const megabyte = 1024 * 1024;

const archive = (text = '<h1>{{ page.name }}</h1>') => writeZip([{ name: 'status-page.liquid', content: text }]);

function createUpload(bytes: Buffer, name = 'zip'): FormData {
  const body = new FormData();
  body.append(name, new Blob([new Uint8Array(bytes)], { type: 'application/zip' }), 'theme.zip');
  return body;
}

const upload = (page: string, bytes: Buffer, method = 'PATCH', request: TestRequest = {}) =>
  service.call(method, themePath(page), { body: createUpload(bytes), ...request });
const readArchive = async (page: string) => {
  const [row] = await service.database.query<{ archive: Uint8Array }>('select archive from theme where page_id = $1', [
    page,
  ]);
  return row && Buffer.from(row.archive);
};

describe('uploading a theme', () => {
  test.each(['PATCH', 'PUT'])('by %s answers with its timestamps, and stores the bytes', async method => {
    const { id: page } = await createPage(service);
    const response = await upload(page, archive(), method);
    expect([response.status, response.json]).toEqual([
      200,
      { response: { created_at: anyTimestamp, updated_at: anyTimestamp } },
    ]);
    expect(Object.keys(response.json.response)).toEqual(['created_at', 'updated_at']);
    expect((await service.get(themePath(page))).text).toBe(response.text);
    expect(await readArchive(page)).toEqual(archive());
  });

  test('by POST works only with a method override', async () => {
    const { id: page } = await createPage(service);
    expect((await upload(page, archive(), 'POST')).status).toBe(405);
    expect((await upload(page, archive(), 'POST', { headers: { 'x-http-method-override': 'PATCH' } })).status).toBe(
      200,
    );
  });

  test('replaces the current theme', async () => {
    const { id: page } = await createPage(service);
    const first = (await upload(page, archive('one'))).json.response;
    const { status, json } = await upload(page, archive('two'));
    expect([status, json.response.created_at]).toEqual([200, first.created_at]);
    expect(await readArchive(page)).toEqual(archive('two'));
    expect(await versionAt(service, themePath(page))).toBe(2);
    await upload(page, archive('two'));
    expect(await versionAt(service, themePath(page))).toBe(3);
  });

  test('ignores other fields', async () => {
    const { id: page } = await createPage(service);
    const body = createUpload(archive());
    body.append('created_at', '2001-01-01');
    const { status, json } = await service.call('PATCH', themePath(page), { body });
    expect([status, json.response.created_at]).toEqual([200, expect.not.stringMatching(/^2001/)]);
  });

  test('accepts up to 10 MB, and answers 413 beyond', async () => {
    const { id: page } = await createPage(service);
    const padded = (size: number) => Buffer.concat([archive(), Buffer.alloc(size - archive().length)]);
    expect((await upload(page, padded(10 * megabyte))).json).toEqual(
      invalidBody({ zip: [expect.stringMatching(/not a ZIP archive/) as unknown as string] }),
    );
    const response = await upload(page, padded(10 * megabyte + 1));
    expect([response.status, response.json.error]).toEqual([413, 'payload_too_large']);
    expect((await service.get(themePath(page))).status).toBe(404);
  });
});

describe('an invalid theme', () => {
  test.each(['query string', 'form', 'JSON', 'multipart'] as const)(
    'a text instead of a file is refused as %s',
    async form => {
      const { status, json } = await sendAs(service, form, 'PATCH', themePath((await createPage(service)).id), {
        zip: archive().toString('base64'),
      });
      expect([status, json]).toEqual([422, invalidBody({ zip: ['is invalid'] })]);
    },
  );

  test.each([
    ['no file', () => ({ json: {} })],
    ['null', () => ({ json: { zip: null } })],
    ['a blank value', () => ({ form: 'zip=' })],
    ['a file under another name', () => ({ body: createUpload(archive(), 'file') })],
    ['an empty file', () => ({ body: createUpload(Buffer.alloc(0)) })],
  ])('%s is refused as blank', async (_, request) => {
    const { status, json } = await service.call('PATCH', themePath((await createPage(service)).id), request());
    expect([status, json]).toEqual([422, invalidBody({ zip: ["can't be blank"] })]);
  });

  test.each([
    ['a file that is not an archive', () => Buffer.from('<html>'.repeat(100)), /not a ZIP archive/],
    [
      'an archive without a status page',
      () => writeZip([{ name: 'assets/logo.svg', content: '<svg/>' }]),
      /status-page\.liquid/,
    ],
    [
      'a folder in assets',
      () =>
        writeZip([
          { name: 'status-page.liquid', content: 'x' },
          { name: 'assets/a/b.css', content: 'x' },
        ]),
      /assets\/a\/b\.css/,
    ],
    [
      'a path outside the archive',
      () =>
        writeZip([
          { name: 'status-page.liquid', content: 'x' },
          { name: '../up.css', content: 'x' },
        ]),
      /up\.css/,
    ],
    [
      'a wrong checksum',
      () => writeZip([{ name: 'status-page.liquid', content: 'x', checksum: 7 }]),
      /"status-page\.liquid" is corrupt/,
    ],
  ])('%s is refused with a reason, and the current theme stays', async (_, build, message) => {
    const { id: page } = await createPage(service);
    const before = await upload(page, archive('kept'));
    const { status, json } = await upload(page, build());
    expect([status, json]).toEqual([422, invalidBody({ zip: [expect.stringMatching(message) as unknown as string] })]);
    const now = await service.get(themePath(page));
    expect([now.text, now.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
    expect(await readArchive(page)).toEqual(archive('kept'));
  });

  test('a refused upload to a page without a theme stores nothing', async () => {
    const { id: page } = await createPage(service);
    await upload(page, Buffer.from('no'));
    expectSameNotFound('theme', [await service.get(themePath(page))]);
  });
});

test('a page can include its theme, or null', async () => {
  const { id: page } = await createPage(service);
  const readIncludedTheme = async () => (await service.get(`/v1/pages/${page}?include=theme`)).json.response.theme;
  expect(await readIncludedTheme()).toBeNull();
  const { response } = (await upload(page, archive())).json;
  expect(await readIncludedTheme()).toEqual(response);
});

test('DELETE answers 204 without a body, and the theme is gone', async () => {
  const { id: page } = await createPage(service);
  await upload(page, archive());
  const deleted = await service.delete(themePath(page));
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expectSameNotFound('theme', [
    await service.get(themePath(page)),
    await service.delete(themePath(page)),
    await service.get(themePath((await createPage(service)).id)),
  ]);
});

test('supports ETag, If-None-Match and If-Match', async () => {
  const { id: page } = await createPage(service);
  await upload(page, archive());
  await expectConditionalRequests(service, themePath(page), (attempt, method, request) =>
    upload(page, archive(`${attempt}`), method, request),
  );
});

test('If-Match for a page without a theme answers 404', async () => {
  const { id: page } = await createPage(service);
  expectSameNotFound('theme', [await upload(page, archive(), 'PATCH', { headers: { 'if-match': '"1.abc"' } })]);
});

test('answers 404 for an unknown page', async () => {
  expectSameNotFound('page', [
    await service.get(themePath('ffffffff')),
    await upload('ffffffff', Buffer.from('no')),
    await service.delete(themePath('ffffffff')),
  ]);
});
