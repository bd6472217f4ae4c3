import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../src/rest/routes.js';
import {
  type AccessRecords,
  hashTables,
  createAccessRecords,
  recordsToChange,
  missingIds,
  createRevokedToken,
  themeUpload,
} from '../../support/access-records.js';
import { type TestRequest, type TestResponse, useOwnService } from '../../support/service.js';

/** The access matrix of /v1: every route with every kind of caller. A new route is closed to anonymous callers unless listed here. */
const openToPage = ['GET /pages/:page_id', 'GET /pages/:page_id/components/:component_id'];
const openToPublic = [
  ...openToPage,
  'GET /pages/:page_id/components',
  'GET /pages/:page_id/brand',
  'GET /pages/:page_id/notices',
  'GET /pages/:page_id/notices/:notice_id',
  'GET /pages/:page_id/notices/:notice_id/updates',
  'GET /pages/:page_id/notices/:notice_id/updates/:update_id',
];
const open = { none: [] as string[], page: openToPage, public: openToPublic };
const modes = ['none', 'page', 'public'] as const;

/** A valid request for each write. */
const requests: Record<string, (records: AccessRecords) => TestRequest> = {
  'POST /pages': () => ({ json: { name: 'New' } }),
  'PATCH /pages/:page_id': () => ({ json: { name: 'Changed' } }),
  'PATCH /pages/:page_id/brand': () => ({ json: { color_body_text: '#123456' } }),
  'POST /pages/:page_id/custom_domain': ({ page_id }) => ({ json: { domain: `new-${page_id}.example.com` } }),
  'PATCH /pages/:page_id/theme': themeUpload,
  'POST /pages/:page_id/components': () => ({ json: { name: 'New' } }),
  'PATCH /pages/:page_id/components/:component_id': () => ({ json: { name: 'Changed' } }),
  'POST /pages/:page_id/notices': ({ component_id }) => ({
    json: { subject: 'New', component_ids: [component_id], initial_comment: 'Hm' },
  }),
  'PATCH /pages/:page_id/notices/:notice_id': () => ({
    json: { subject: 'Changed', state: 'resolved', additional_comment: 'Done' },
  }),
  'POST /pages/:page_id/notices/:notice_id/updates': () => ({ json: { content: 'New' } }),
  'PATCH /pages/:page_id/notices/:notice_id/updates/:update_id': () => ({ json: { content: 'Changed' } }),
  'POST /pages/:page_id/notice_templates': () => ({ json: { name: 'New' } }),
  'PATCH /pages/:page_id/notice_templates/:template_id': () => ({ json: { name: 'Changed' } }),
  'POST /pages/:page_id/metrics/:metric_id/data': () => ({ json: { data: { value: 42 } } }),
  'POST /pages/:page_id/subscribers': () => ({ json: { email: 'new@example.com' } }),
  'PATCH /pages/:page_id/subscribers/:subscriber_id': () => ({ json: { first_name: 'Changed' } }),
};

const unauthenticated = {
  error: 'unauthenticated',
  error_description: 'This action requires authentication to continue.',
};
const forbidden = { error: 'forbidden', error_description: 'The action you requested was forbidden.' };

const service = useOwnService();
let revoked: string;
let own: AccessRecords;
let foreign: AccessRecords;
beforeAll(async () => {
  revoked = await createRevokedToken(service);
  own = await createAccessRecords(service);
  foreign = await createAccessRecords(service);
}, 60_000);
afterEach(() => {
  service.settings.anonymousReads = 'public';
});

const listParameters = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof AccessRecords);
const fillPath = (path: string, records: AccessRecords) =>
  `/v1${path.replace(/:(\w+)/g, (_, name: keyof AccessRecords) => records[name])}`;
const call = (method: string, path: string, records: AccessRecords, token: string | null): Promise<TestResponse> =>
  service.call(method, fillPath(path, records), { ...(requests[`${method} ${path}`]?.(own) ?? {}), token });
const statusAndBody = ({ status, json }: TestResponse) => [status, json];

test('every route in the lists of open routes exists, and every write has a request', () => {
  const names = routes.map(([method, path]) => `${method} ${path}`);
  expect(openToPublic.filter(name => !names.includes(name))).toEqual([]);
  expect(names.filter(name => /^(POST|PATCH)/.test(name) && !requests[name])).toEqual([]);
});

describe.each(routes.map(([method, path]) => ({ method, path })))('$method $path', ({ method, path }) => {
  const name = `${method} ${path}`;
  const isRead = method === 'GET';

  test.each(modes)('is open or refused without a token with ANONYMOUS_READS=%s, and writes nothing', async mode => {
    service.settings.anonymousReads = mode;
    const before = await hashTables(service.database);
    const response = await call(method, path, own, null);
    expect(statusAndBody(response)).toEqual(
      open[mode].includes(name)
        ? [200, (await call(method, path, own, service.tokens.read)).json]
        : [401, unauthenticated],
    );
    // Nor does the refusal reveal whether the record exists.
    if (!open[mode].includes(name))
      expect(statusAndBody(await call(method, path, missingIds, null))).toEqual([401, unauthenticated]);
    expect(await hashTables(service.database)).toBe(before);
  });

  test.each(modes)('refuses an unknown or revoked token with ANONYMOUS_READS=%s, and writes nothing', async mode => {
    service.settings.anonymousReads = mode;
    const before = await hashTables(service.database);
    for (const token of ['wrong', revoked]) {
      expect(statusAndBody(await call(method, path, own, token))).toEqual([401, unauthenticated]);
      expect(statusAndBody(await call(method, path, missingIds, token))).toEqual([401, unauthenticated]);
    }
    expect(await hashTables(service.database)).toBe(before);
  });

  test('allows reads and refuses writes with a read token', async () => {
    const before = await hashTables(service.database);
    const response = await call(method, path, own, service.tokens.read);
    if (isRead) expect(response.status).toBe(200);
    else {
      expect(statusAndBody(response)).toEqual([403, forbidden]);
      expect(statusAndBody(await call(method, path, missingIds, service.tokens.read))).toEqual([403, forbidden]);
    }
    expect(await hashTables(service.database)).toBe(before);
  });

  test('allows reads and writes with a write token', async () => {
    const records = isRead ? own : await recordsToChange(service, name);
    const before = await hashTables(service.database);
    const response = await service.call(method, fillPath(path, records), requests[name]?.(records));
    expect([response.status, response.json?.error]).toEqual([
      { GET: 200, POST: 201, PATCH: 200, DELETE: 204 }[method],
      undefined,
    ]);
    if (isRead) expect(await hashTables(service.database)).toBe(before);
    else expect(await hashTables(service.database)).not.toBe(before);
  });

  const parameters = listParameters(path);

  test('answers an id under another parent like an id that does not exist, and changes nothing', async () => {
    const before = await hashTables(service.database);
    const callers = [
      service.tokens.write,
      ...(isRead ? [service.tokens.read] : []),
      ...(openToPublic.includes(name) ? [null] : []),
    ];
    service.settings.anonymousReads = 'public';
    const mixed = (take: (place: number) => AccessRecords): AccessRecords => ({
      ...own,
      ...Object.fromEntries(parameters.map((id, place) => [id, take(place)[id]])),
    });
    for (const [place, id] of parameters.entries()) {
      const wrong: AccessRecords[] =
        place === 0 ? [] : [mixed(at => (at < place ? own : foreign)), mixed(at => (at < place ? foreign : own))];
      if (id === 'update_id') wrong.push({ ...own, update_id: own.sibling_id });
      for (const token of callers) {
        const nothing = await call(method, path, { ...own, [id]: missingIds[id] }, token);
        expect([nothing.status, nothing.json.error]).toEqual([404, 'not_found']);
        for (const records of wrong) {
          const there = await call(method, path, records, token);
          const nowhere = await call(method, path, { ...records, [id]: missingIds[id] }, token);
          expect([fillPath(path, records), there.status, there.text, there.headers.get('etag')]).toEqual([
            fillPath(path, records),
            404,
            nothing.text,
            null,
          ]);
          expect([nowhere.status, nowhere.text]).toEqual([404, nothing.text]);
        }
      }
    }
    expect(await hashTables(service.database)).toBe(before);
  });
});

describe('an id in the parameters of a request', () => {
  const at = () => `/v1/pages/${own.page_id}`;
  test.each<[string, string, () => string, (id: string) => object]>([
    ['a notice', 'POST', () => `${at()}/notices`, id => ({ subject: 'x', component_ids: [id] })],
    ['a notice', 'PATCH', () => `${at()}/notices/${own.notice_id}`, id => ({ component_ids: [id] })],
    ['a subscriber', 'POST', () => `${at()}/subscribers`, id => ({ email: 'x@example.com', component_ids: [id] })],
    ['a subscriber', 'PATCH', () => `${at()}/subscribers/${own.subscriber_id}`, id => ({ component_ids: [id] })],
    ['a component', 'POST', () => `${at()}/components`, id => ({ name: 'x', parent_id: id })],
    ['a component', 'PATCH', () => `${at()}/components/${own.component_id}`, id => ({ parent_id: id })],
    ['a template', 'POST', () => `${at()}/notice_templates`, id => ({ name: 'x', component_id: id })],
    ['a template', 'PATCH', () => `${at()}/notice_templates/${own.template_id}`, id => ({ component_id: id })],
  ])(
    'is refused alike for %s by %s, whether it is on another page or does not exist',
    async (_, method, path, values) => {
      const before = await hashTables(service.database);
      const there = await service.call(method, path(), { json: values(foreign.component_id) });
      const nowhere = await service.call(method, path(), { json: values(missingIds.component_id) });
      expect(there.status).toBe(422);
      expect([there.status, there.text]).toEqual([nowhere.status, nowhere.text]);
      expect(await hashTables(service.database)).toBe(before);
    },
  );

  test.each([
    'notices?filter[components_id_eq]',
    'subscribers?filter[components_id_eq]',
    'subscribers?filter[for_component]',
    'notice_templates?filter[component_id_eq]',
    'components?filter[parent_id_eq]',
  ])('finds the same in the filter %s, whether it is on another page or does not exist', async key => {
    const found = async (id: string) => (await service.get(`${at()}/${key}=${id}`)).text;
    expect(await found(foreign.component_id)).toBe(await found(missingIds.component_id));
  });
});
