import { beforeAll, describe, expect, test } from '@jest/globals';
import { createNotice, createPage, createUpdate } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service)).path;
});

/** Creates a notice with an update for each of these contents, and returns its path. */
async function createNoticeWith(...contents: string[]): Promise<string> {
  const { path } = await createNotice(service, page);
  for (const content of contents) await createUpdate(service, path, { content });
  return path;
}
const readNotice = (path: string) => service.get(`${path}?include=updates`);
const readSynopsis = async (path: string): Promise<string> => (await service.get(path)).json.response.synopsis;
const versionOf = (response: { headers: Headers }) => response.headers.get('etag')?.split('.')[0];

const keys = ['id', 'content', 'should_publish', 'created_at', 'updated_at', 'link'];

describe('a new update', () => {
  test('has the link of its notice, with the anchor of the update, wherever it is read', async () => {
    const path = await createNoticeWith('one', 'two');
    const { link, updates } = (await readNotice(path)).json.response;
    for (const update of updates) {
      expect(update.link).toBe(`${link}#update-${update.id}`);
      expect((await service.get(`${path}/updates/${update.id}`)).json.response).toEqual(update);
    }
    const { pathname } = new URL(link);
    const document = await service.get(`/status/${page.split('/').at(-1)}${pathname}`, { token: null });
    for (const { id } of updates) expect(document.text).toContain(`id="update-${id}"`);
    const renamed = (await service.patch(path, { subject: 'Other' })).json.response.link;
    expect((await readNotice(path)).json.response.updates[0].link).toBe(`${renamed}#update-${updates[0].id}`);
  });

  test.each([{}, { should_publish: null }, { should_publish: '' }])('is published by default: %j', async values => {
    expect((await createUpdate(service, await createNoticeWith(), { content: 'x', ...values })).should_publish).toBe(
      true,
    );
  });

  test.each([{}, { content: null }, { content: '' }, { content: ' \n ' }])('requires content: %j', async values => {
    const path = await createNoticeWith();
    const response = await service.post(`${path}/updates`, values);
    expect([response.status, response.json]).toEqual([
      422,
      {
        error: 'invalid_resource',
        error_description: 'The current resource was deemed invalid.',
        messages: { content: ["can't be blank"] },
      },
    ]);
    expect((await service.get(`${path}/updates`)).json).toEqual({ response: [], count: 0 });
  });

  test('has its content unchanged', async () => {
    expect((await createUpdate(service, await createNoticeWith(), { content: '  7\r\n' })).content).toBe('  7\r\n');
  });

  test('is limited to 65,535 characters', async () => {
    const path = await createNoticeWith();
    expect((await createUpdate(service, path, { content: '𝕏'.repeat(65_535) })).content).toHaveLength(131_070);
    const response = await service.post(`${path}/updates`, { content: '𝕏'.repeat(65_536) });
    expect([response.status, response.json.messages]).toEqual([
      422,
      { content: ['is too long (maximum is 65535 characters)'] },
    ]);
  });

  test.each([
    [{ content: 'a\0' }, { content: ['is invalid'] }],
    [{ content: ['a'] }, { content: ['is invalid'] }],
    [{ content: 'a', should_publish: 'maybe' }, { should_publish: ['is not included in the list'] }],
  ])('is refused with %j', async (values, messages) => {
    const response = await service.post(`${await createNoticeWith()}/updates`, values);
    expect([response.status, response.json.messages]).toEqual([422, messages]);
  });
});

describe('the list of updates', () => {
  test('is oldest first, for that notice only', async () => {
    const [path] = [await createNoticeWith('1', '2', '3'), await createNoticeWith('other')];
    const { json } = await service.get(`${path}/updates`);
    expect([Object.keys(json), json.count]).toEqual([['response', 'count'], 3]);
    expect(json.response.map((update: { content: string }) => update.content)).toEqual(['1', '2', '3']);
    expect(json.response.map((update: object) => Object.keys(update))).toEqual([keys, keys, keys]);
  });
});

describe('a change to an update', () => {
  test('changes neither the update nor its notice if it is sent back whole or empty', async () => {
    const path = await createNoticeWith('one');
    const before = await readNotice(path);
    const [update] = before.json.response.updates;
    const updatePath = `${path}/updates/${update.id}`;
    const etag = (await service.get(updatePath)).headers.get('etag');
    for (const values of [
      update,
      {},
      { id: 9, created_at: '2020-01-01', should_publish: !update.should_publish, unknown: 1 },
    ]) {
      const response = await service.patch(updatePath, values);
      expect([response.status, response.json, response.headers.get('etag')]).toEqual([200, { response: update }, etag]);
    }
    const after = await readNotice(path);
    expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
  });

  test.each([null, '', ' '])('refuses %j as content', async content => {
    const path = await createNoticeWith('one');
    const [{ id }] = (await service.get(`${path}/updates`)).json.response;
    const response = await service.patch(`${path}/updates/${id}`, { content });
    expect([response.status, response.json.messages]).toEqual([422, { content: ["can't be blank"] }]);
  });
});

describe('the notice of an update', () => {
  test('gets a new version and updated_at with each write to the update', async () => {
    const path = await createNoticeWith();
    let before = await service.get(path);
    const hasChanged = async () => {
      const after = await service.get(path);
      const result =
        versionOf(after) !== versionOf(before) && after.json.response.updated_at > before.json.response.updated_at;
      before = after;
      return result;
    };
    const { id } = await createUpdate(service, path, { content: 'one' });
    expect(await hasChanged()).toBe(true);
    await service.patch(`${path}/updates/${id}`, { content: 'two' });
    expect(await hasChanged()).toBe(true);
    await service.delete(`${path}/updates/${id}`);
    expect(await hasChanged()).toBe(true);
  });

  test('has a synopsis that follows its first update', async () => {
    const path = await createNoticeWith('# The *first*', 'The <b>second</b>');
    expect(await readSynopsis(path)).toBe('The first\n');
    const ids = (await service.get(`${path}/updates`)).json.response.map((update: { id: number }) => update.id);
    await service.patch(`${path}/updates/${ids[1]}`, { content: 'The 2nd' });
    expect(await readSynopsis(path)).toBe('The first\n');
    await service.patch(`${path}/updates/${ids[0]}`, { content: '[The 1st](https://example.org)' });
    expect(await readSynopsis(path)).toBe('The 1st\n');
    await service.delete(`${path}/updates/${ids[0]}`);
    expect(await readSynopsis(path)).toBe('The 2nd\n');
    await service.delete(`${path}/updates/${ids[1]}`);
    expect(await readSynopsis(path)).toBe('');
  });
});
