import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  expectConditionalRequests,
  expectSameNotFound,
  moment,
  refused,
  send,
  versionAt,
} from '../../support/record-rules.js';
import { startTestService, type Request, type TestService } from '../../support/service.js';
import { writeZip } from '../../support/zip-writer.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const newPage = async (): Promise<string> => (await service.post('/v1/pages', { name: 'Acme' })).json.response.id;
const at = (page: string) => `/v1/pages/${page}/theme`;
const megabyte = 1024 * 1024;

const archive = (text = '<h1>{{ page.name }}</h1>') => writeZip([{ name: 'status-page.liquid', content: text }]);

function uploadOf(bytes: Buffer, name = 'zip'): FormData {
  const body = new FormData();
  body.append(name, new Blob([new Uint8Array(bytes)], { type: 'application/zip' }), 'theme.zip');
  return body;
}

const upload = (page: string, bytes: Buffer, method = 'PATCH', request: Request = {}) =>
  service.call(method, at(page), { body: uploadOf(bytes), ...request });
const keptOf = async (page: string) => {
  const [row] = await service.database.query<{ archive: Uint8Array }>('select archive from theme where page_id = $1', [
    page,
  ]);
  return row && Buffer.from(row.archive);
};

describe('uploading a theme', () => {
  test.each(['PATCH', 'PUT'])('by %s answers with its times, and keeps the bytes', async method => {
    const page = await newPage();
    const answer = await upload(page, archive(), method);
    expect([answer.status, answer.json]).toEqual([200, { response: { created_at: moment, updated_at: moment } }]);
    expect(Object.keys(answer.json.response)).toEqual(['created_at', 'updated_at']);
    expect((await service.get(at(page))).text).toBe(answer.text);
    expect(await keptOf(page)).toEqual(archive());
  });

  test('works by POST where the method is overridden, and by POST alone it does not', async () => {
    const page = await newPage();
    expect((await upload(page, archive(), 'POST')).status).toBe(405);
    expect((await upload(page, archive(), 'POST', { headers: { 'x-http-method-override': 'PATCH' } })).status).toBe(
      200,
    );
  });

  test('replaces the theme before it', async () => {
    const page = await newPage();
    const first = (await upload(page, archive('one'))).json.response;
    const { status, json } = await upload(page, archive('two'));
    expect([status, json.response.created_at]).toEqual([200, first.created_at]);
    expect(await keptOf(page)).toEqual(archive('two'));
    expect(await versionAt(service, at(page))).toBe(2);
    await upload(page, archive('two'));
    expect(await versionAt(service, at(page))).toBe(3);
  });

  test('goes with other fields, which are ignored', async () => {
    const page = await newPage();
    const body = uploadOf(archive());
    body.append('created_at', '2001-01-01');
    const { status, json } = await service.call('PATCH', at(page), { body });
    expect([status, json.response.created_at]).toEqual([200, expect.not.stringMatching(/^2001/)]);
  });

  test('takes up to 10 MB, and answers 413 beyond', async () => {
    const page = await newPage();
    const padded = (size: number) => Buffer.concat([archive(), Buffer.alloc(size - archive().length)]);
    expect((await upload(page, padded(10 * megabyte))).json).toEqual(
      refused({ zip: [expect.stringMatching(/not a ZIP archive/) as unknown as string] }),
    );
    const answer = await upload(page, padded(10 * megabyte + 1));
    expect([answer.status, answer.json.error]).toEqual([413, 'payload_too_large']);
    expect((await service.get(at(page))).status).toBe(404);
  });
});

describe('what is no theme', () => {
  test.each(['query string', 'form', 'JSON', 'multipart'] as const)(
    'a text in place of a file, as %s, is refused',
    async form => {
      const { status, json } = await send(service, form, 'PATCH', at(await newPage()), {
        zip: archive().toString('base64'),
      });
      expect([status, json]).toEqual([422, refused({ zip: ['is invalid'] })]);
    },
  );

  test.each([
    ['nothing', () => ({ json: {} })],
    ['null', () => ({ json: { zip: null } })],
    ['a blank', () => ({ form: 'zip=' })],
    ['a file of another name', () => ({ body: uploadOf(archive(), 'file') })],
    ['an empty file', () => ({ body: uploadOf(Buffer.alloc(0)) })],
  ])('%s is refused as blank', async (_, request) => {
    const { status, json } = await service.call('PATCH', at(await newPage()), request());
    expect([status, json]).toEqual([422, refused({ zip: ["can't be blank"] })]);
  });

  test.each([
    ['a file of another kind', () => Buffer.from('<html>'.repeat(100)), /not a ZIP archive/],
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
      'a path that climbs',
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
      /"status-page\.liquid" is damaged/,
    ],
  ])('%s is refused, in words, and the theme before it stays', async (_, build, words) => {
    const page = await newPage();
    const before = await upload(page, archive('kept'));
    const { status, json } = await upload(page, build());
    expect([status, json]).toEqual([422, refused({ zip: [expect.stringMatching(words) as unknown as string] })]);
    const now = await service.get(at(page));
    expect([now.text, now.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
    expect(await keptOf(page)).toEqual(archive('kept'));
  });

  test('a page without a theme has none after a refusal either', async () => {
    const page = await newPage();
    await upload(page, Buffer.from('no'));
    expectSameNotFound('theme', [await service.get(at(page))]);
  });
});

test('a page includes its theme, and null without one', async () => {
  const page = await newPage();
  const included = async () => (await service.get(`/v1/pages/${page}?include=theme`)).json.response.theme;
  expect(await included()).toBeNull();
  const { response } = (await upload(page, archive())).json;
  expect(await included()).toEqual(response);
});

test('deleting it answers 204 with nothing, and then there is none', async () => {
  const page = await newPage();
  await upload(page, archive());
  const deleted = await service.delete(at(page));
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expectSameNotFound('theme', [
    await service.get(at(page)),
    await service.delete(at(page)),
    await service.get(at(await newPage())),
  ]);
});

test('ETag, If-None-Match and If-Match hold', async () => {
  const page = await newPage();
  await upload(page, archive());
  await expectConditionalRequests(service, at(page), (attempt, method, request) =>
    upload(page, archive(`${attempt}`), method, request),
  );
});

test('a version that is seen of a theme that is not there is not found', async () => {
  const page = await newPage();
  expectSameNotFound('theme', [await upload(page, archive(), 'PATCH', { headers: { 'if-match': '"1.abc"' } })]);
});

test('without its page there is none', async () => {
  expectSameNotFound('page', [
    await service.get(at('ffffffff')),
    await upload('ffffffff', Buffer.from('no')),
    await service.delete(at('ffffffff')),
  ]);
});
