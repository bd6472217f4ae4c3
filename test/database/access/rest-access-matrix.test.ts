import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { settings } from '../../../src/core/config.js';
import { routes } from '../../../src/rest/routes.js';
import { type Cast, contents, makeCast, missing, revokedToken, upload } from '../../support/access-records.js';
import { type Answer, type Request, startTestService, type TestService } from '../../support/service.js';

/** Who may call what of /v1: every route, by everybody. A new route is closed to the anonymous unless it is named here. */
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

/** What each write sends, so that it is accepted from whoever may write. */
const sent: Record<string, (cast: Cast) => Request> = {
  'POST /pages': () => ({ json: { name: 'New' } }),
  'PATCH /pages/:page_id': () => ({ json: { name: 'Changed' } }),
  'PATCH /pages/:page_id/brand': () => ({ json: { color_body_text: '#123456' } }),
  'POST /pages/:page_id/custom_domain': ({ page_id }) => ({ json: { domain: `new-${page_id}.example.com` } }),
  'PATCH /pages/:page_id/theme': upload,
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
  'POST /pages/:page_id/subscribers': () => ({ json: { email: 'new@example.com' } }),
  'PATCH /pages/:page_id/subscribers/:subscriber_id': () => ({ json: { first_name: 'Changed' } }),
};

const unauthenticated = {
  error: 'unauthenticated',
  error_description: 'This action requires authentication to continue.',
};
const forbidden = { error: 'forbidden', error_description: 'The action you requested was forbidden.' };

let service: TestService;
let revoked: string;
let own: Cast;
let foreign: Cast;
beforeAll(async () => {
  service = await startTestService();
  revoked = await revokedToken(service.database);
  own = await makeCast(service);
  foreign = await makeCast(service);
}, 60_000);
afterAll(() => service.stop());
afterEach(() => {
  settings.anonymousReads = 'page';
});

const parametersOf = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof Cast);
const filled = (path: string, cast: Cast) => `/v1${path.replace(/:(\w+)/g, (_, name: keyof Cast) => cast[name])}`;
const call = (method: string, path: string, cast: Cast, token: string | null): Promise<Answer> =>
  service.call(method, filled(path, cast), { ...(sent[`${method} ${path}`]?.(own) ?? {}), token });
const told = ({ status, json }: Answer) => [status, json];

test('What is open is there', () => {
  const names = routes.map(([method, path]) => `${method} ${path}`);
  expect(openToPublic.filter(name => !names.includes(name))).toEqual([]);
  expect(names.filter(name => /^(POST|PATCH)/.test(name) && !sent[name])).toEqual([]);
});

describe.each(routes.map(([method, path]) => ({ method, path })))('$method $path', ({ method, path }) => {
  const name = `${method} ${path}`;
  const isRead = method === 'GET';

  test.each(modes)(
    'without a token is open or refused as ANONYMOUS_READS=%s says, and nothing is written',
    async mode => {
      settings.anonymousReads = mode;
      const before = await contents(service.database);
      const answer = await call(method, path, own, null);
      expect(told(answer)).toEqual(
        open[mode].includes(name)
          ? [200, (await call(method, path, own, service.tokens.read)).json]
          : [401, unauthenticated],
      );
      // What is there is not told either.
      if (!open[mode].includes(name))
        expect(told(await call(method, path, missing, null))).toEqual([401, unauthenticated]);
      expect(await contents(service.database)).toBe(before);
    },
  );

  test.each(modes)(
    'with a token that is none, or is no longer one, is refused (ANONYMOUS_READS=%s), and nothing is written',
    async mode => {
      settings.anonymousReads = mode;
      const before = await contents(service.database);
      for (const token of ['wrong', revoked]) {
        expect(told(await call(method, path, own, token))).toEqual([401, unauthenticated]);
        expect(told(await call(method, path, missing, token))).toEqual([401, unauthenticated]);
      }
      expect(await contents(service.database)).toBe(before);
    },
  );

  test('with a read token reads, and writes nothing', async () => {
    const before = await contents(service.database);
    const answer = await call(method, path, own, service.tokens.read);
    if (isRead) expect(answer.status).toBe(200);
    else {
      expect(told(answer)).toEqual([403, forbidden]);
      expect(told(await call(method, path, missing, service.tokens.read))).toEqual([403, forbidden]);
    }
    expect(await contents(service.database)).toBe(before);
  });

  test('with a write token reads and writes', async () => {
    const cast = isRead ? own : await makeCast(service, path.endsWith('theme'));
    const before = await contents(service.database);
    const answer = await service.call(method, filled(path, cast), sent[name]?.(cast));
    expect([answer.status, answer.json?.error]).toEqual([
      { GET: 200, POST: 201, PATCH: 200, DELETE: 204 }[method],
      undefined,
    ]);
    if (isRead) expect(await contents(service.database)).toBe(before);
    else expect(await contents(service.database)).not.toBe(before);
  });

  const parameters = parametersOf(path);

  test('does not tell an id of another place from one of nothing, and leaves it as it is', async () => {
    const before = await contents(service.database);
    const callers = [
      service.tokens.write,
      ...(isRead ? [service.tokens.read] : []),
      ...(openToPublic.includes(name) ? [null] : []),
    ];
    settings.anonymousReads = 'public';
    const mixed = (take: (place: number) => Cast): Cast => ({
      ...own,
      ...Object.fromEntries(parameters.map((id, place) => [id, take(place)[id]])),
    });
    for (const [place, id] of parameters.entries()) {
      const wrong: Cast[] =
        place === 0 ? [] : [mixed(at => (at < place ? own : foreign)), mixed(at => (at < place ? foreign : own))];
      if (id === 'update_id') wrong.push({ ...own, update_id: own.sibling_id });
      for (const token of callers) {
        const nothing = await call(method, path, { ...own, [id]: missing[id] }, token);
        expect([nothing.status, nothing.json.error]).toEqual([404, 'not_found']);
        for (const cast of wrong) {
          const there = await call(method, path, cast, token);
          const nowhere = await call(method, path, { ...cast, [id]: missing[id] }, token);
          expect([filled(path, cast), there.status, there.text, there.headers.get('etag')]).toEqual([
            filled(path, cast),
            404,
            nothing.text,
            null,
          ]);
          expect([nowhere.status, nowhere.text]).toEqual([404, nothing.text]);
        }
      }
    }
    expect(await contents(service.database)).toBe(before);
  });
});

describe('What a request names beside its path', () => {
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
  ])('for %s by %s is refused alike, whether it is on another page or nowhere', async (_, method, path, values) => {
    const before = await contents(service.database);
    const [there, nowhere] = [
      await service.call(method, path(), { json: values(foreign.component_id) }),
      await service.call(method, path(), { json: values(missing.component_id) }),
    ];
    expect(there.status).toBe(422);
    expect([there.status, there.text]).toEqual([nowhere.status, nowhere.text]);
    expect(await contents(service.database)).toBe(before);
  });

  test.each([
    'notices?filter[components_id_eq]',
    'subscribers?filter[components_id_eq]',
    'subscribers?filter[for_component]',
    'notice_templates?filter[component_id_eq]',
    'components?filter[parent_id_eq]',
  ])('in a filter finds the same, whether it is on another page or nowhere: %s', async key => {
    const found = async (id: string) => (await service.get(`${at()}/${key}=${id}`)).text;
    expect(await found(foreign.component_id)).toBe(await found(missing.component_id));
  });
});
