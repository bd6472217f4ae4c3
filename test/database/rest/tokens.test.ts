import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { listTokens, scopes } from '../../../src/auth/token.service.js';
import {
  createComponent,
  createNotice,
  createPage,
  createSubscriber,
  createTemplate,
} from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { createToken, revokeToken } from '../../support/tokens.js';

const service = useOwnService();
let page: string;
const paths = { component: '', old: '', notice: '', update: '', oldUpdate: '', template: '', subscriber: '' };
beforeAll(async () => {
  page = (await createPage(service)).path;
  const component = await createComponent(service, page, { name: 'One' });
  const notice = await createNotice(service, page, {
    subject: 'Fresh',
    initial_comment: 'Hm',
    component_ids: [component.id],
  });
  const old = await createNotice(service, page, {
    subject: 'Old',
    initial_comment: 'Hm',
    state: 'resolved',
    began_at: '2001-01-01',
    ended_at: '2001-01-02',
  });
  Object.assign(paths, { component: component.path, notice: notice.path, old: old.path });
  const firstUpdatePath = async (notice: string) =>
    `${notice}/updates/${(await service.get(`${notice}/updates`)).json.response[0].id}`;
  paths.update = await firstUpdatePath(paths.notice);
  paths.oldUpdate = await firstUpdatePath(paths.old);
  paths.template = (await createTemplate(service, page)).path;
  paths.subscriber = (await createSubscriber(service, page, { email: 'x@example.com' })).path;
});
afterEach(() => {
  service.settings.anonymousReads = 'public';
  service.settings.bootstrapToken = '';
});

const getHello = (authorization: string) =>
  service.get('/v1/hello', { token: null, headers: { Authorization: authorization } });
const refusal = { error: 'unauthenticated', error_description: 'This action requires authentication to continue.' };

describe('a token', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    'is a bearer credential, with the scheme in any case: %s',
    async scheme => {
      expect((await getHello(`${scheme} ${service.tokens.write}`)).status).toBe(200);
      expect((await getHello(`${scheme}   ${service.tokens.write}  `)).status).toBe(200);
    },
  );

  test('has 256 random bits, and is stored as a hash', async () => {
    expect(Buffer.from(service.tokens.write, 'base64url')).toHaveLength(32);
    const stored = JSON.stringify(await service.database.query('select * from token'));
    expect(stored).not.toContain(service.tokens.write);
    expect(stored).toMatch(/"hash":"[0-9a-f]{64}"/);
  });

  test.each<[string, () => string]>([
    ['of another scheme', () => `Basic ${service.tokens.write}`],
    ['of basic authentication', () => `Basic ${Buffer.from(`x:${service.tokens.write}`).toString('base64')}`],
    ['without its scheme', () => service.tokens.write],
    ['that is missing after its scheme', () => 'Bearer'],
    ['that is unknown', () => `Bearer ${'A'.repeat(43)}`],
    ['with an additional character', () => `Bearer ${service.tokens.write}x`],
    ['without its last character', () => `Bearer ${service.tokens.write.slice(0, -1)}`],
    ['in another case', () => `Bearer ${service.tokens.write.toLowerCase()}`],
    ['with a space in it', () => `Bearer ${service.tokens.write} x`],
    ['without a space before it', () => `Bearer${service.tokens.write}`],
    ['sent twice', () => `Bearer ${service.tokens.write}, Bearer ${service.tokens.write}`],
    ['beyond ASCII', () => `Bearer ${'\u00ff'.repeat(40)}`],
    ['of 8,000 characters', () => `Bearer ${'x'.repeat(8_000)}`],
    ['that equals the scheme', () => 'Bearer Bearer'],
    ['that is a hash', () => `Bearer ${'0'.repeat(64)}`],
  ])('%s is refused', async (_, authorization) => {
    for (const path of ['/v1/hello', page, paths.component]) {
      const response = await service.get(path, { token: null, headers: { Authorization: authorization() } });
      expect([response.status, response.json, response.headers.get('www-authenticate')]).toEqual([
        401,
        refusal,
        'Bearer',
      ]);
    }
  });

  test('is accepted in the header only', async () => {
    expect(
      (
        await service.get(`/v1/hello?access_token=${service.tokens.write}&token=${service.tokens.write}`, {
          token: null,
        })
      ).status,
    ).toBe(401);
    expect(
      (await service.post('/v1/pages', { name: 'x', access_token: service.tokens.write }, { token: null })).status,
    ).toBe(401);
  });

  test('is refused once it is revoked', async () => {
    const token = await createToken(service.database, 'short', scopes.write);
    expect((await service.get('/v1/hello', { token })).status).toBe(200);
    const { id: tokenId } = (await listTokens(service.database)).find(({ label }) => label === 'short')!;
    expect(await revokeToken(service, tokenId)).toBe(true);
    expect((await service.get('/v1/hello', { token })).json).toEqual(refusal);
    expect((await service.get(page, { token })).status).toBe(401);
  });

  test('is refused soon after another process revoked it', async () => {
    const token = await createToken(service.database, 'revoked elsewhere', scopes.write);
    const status = async () => (await service.get('/v1/hello', { token })).status;
    expect(await status()).toBe(200);
    await service.database.query(`update token set revoked_at = clock_timestamp() where label = 'revoked elsewhere'`);
    const deadline = Date.now() + 5_000;
    let last = 200;
    while (last === 200 && Date.now() < deadline) last = await status();
    expect(last).toBe(401);
  });

  test('of scope read can read everything', async () => {
    const lists = ['components', 'notices', 'notice_templates', 'subscribers', 'brand'].map(name => `${page}/${name}`);
    for (const path of ['/v1/pages', page, '/v1/timezones', '/v1/hello', ...lists, ...Object.values(paths)]) {
      expect([path, (await service.get(path, { token: service.tokens.read })).status]).toEqual([path, 200]);
    }
  });

  test('of scope read cannot write', async () => {
    const before = (await service.get(`${page}?include=components,notices.updates,subscribers`)).text;
    const forbidden = { error: 'forbidden', error_description: 'The action you requested was forbidden.' };
    const token = service.tokens.read;
    for (const path of [page, `${page}/brand`, ...Object.values(paths)]) {
      for (const method of ['PATCH', 'PUT', 'DELETE'])
        expect([path, (await service.call(method, path, { json: { name: 'x' }, token })).json]).toEqual([
          path,
          forbidden,
        ]);
    }
    for (const path of [
      '/v1/pages',
      ...['components', 'notices', 'notice_templates', 'subscribers', 'custom_domain'].map(name => `${page}/${name}`),
    ]) {
      expect([path, (await service.post(path, { name: 'x' }, { token })).json]).toEqual([path, forbidden]);
    }
    expect(
      (await service.post(paths.component, {}, { token, headers: { 'X-HTTP-Method-Override': 'DELETE' } })).status,
    ).toBe(403);
    expect((await service.get(`${page}?include=components,notices.updates,subscribers`)).text).toBe(before);
  });

  test('of the environment works exactly while it is set', async () => {
    const token = 'from-the-environment-of-32-characters-or-more';
    expect((await service.get('/v1/hello', { token })).status).toBe(401);
    service.settings.bootstrapToken = token;
    expect((await service.patch(page, { name: 'All' }, { token })).status).toBe(200);
    expect((await service.get('/v1/hello', { token: `${token}x` })).status).toBe(401);
    expect((await service.get('/v1/hello', { token: token.toUpperCase() })).status).toBe(401);
    expect((await service.get('/v1/hello')).status).toBe(200);
    service.settings.bootstrapToken = '';
    expect((await service.get('/v1/hello', { token })).status).toBe(401);
    expect(JSON.stringify(await listTokens(service.database))).not.toContain('environment');
  });
});

const getAnonymously = (path: string) => service.get(path, { token: null });
const anonymousStatus = async (path: string): Promise<[string, number]> => [path, (await getAnonymously(path)).status];
const openToPage = () => [page, paths.component];
const openToPublic = () => [
  `${page}/components`,
  `${page}/notices`,
  paths.notice,
  paths.update,
  `${paths.notice}/updates`,
  `${page}/brand`,
];
const closed = () => [
  ...['/v1/pages', '/v1/timezones', '/v1/timezones/UTC', '/v1/hello'],
  ...['notice_templates', 'subscribers', 'custom_domain', 'theme'].map(name => `${page}/${name}`),
  paths.template,
  paths.subscriber,
];
const openIncludes = [
  'brand',
  'components',
  'notices',
  'notices.updates',
  'notices.components',
  'brand,components,notices.updates,notices.components',
];
const closedIncludes = [
  'custom_domain',
  'theme',
  'subscribers',
  'subscribers.components',
  'brand,theme',
  'notices,subscribers',
];

describe('without a token', () => {
  test('nothing can be read with ANONYMOUS_READS=none', async () => {
    service.settings.anonymousReads = 'none';
    for (const path of [...openToPage(), ...openToPublic(), ...closed()])
      expect(await anonymousStatus(path)).toEqual([path, 401]);
    expect(await anonymousStatus('/v1/pages/00000000')).toEqual(['/v1/pages/00000000', 401]);
  });

  test('only a single page and a single component can be read with ANONYMOUS_READS=page', async () => {
    service.settings.anonymousReads = 'page';
    for (const path of openToPage()) expect(await anonymousStatus(path)).toEqual([path, 200]);
    for (const path of [...openToPublic(), ...closed()]) expect(await anonymousStatus(path)).toEqual([path, 401]);
    expect(await anonymousStatus('/v1/pages/00000000')).toEqual(['/v1/pages/00000000', 404]);
  });

  test('everything on the public page can be read by default, and nothing else', async () => {
    for (const path of [...openToPage(), ...openToPublic()]) expect(await anonymousStatus(path)).toEqual([path, 200]);
    for (const path of closed()) expect(await anonymousStatus(path)).toEqual([path, 401]);
  });

  test.each(['page', 'public'] as const)('a page can include what is public with ANONYMOUS_READS=%s', async reads => {
    service.settings.anonymousReads = reads;
    for (const name of openIncludes)
      expect(await anonymousStatus(`${page}?include=${name}`)).toEqual([`${page}?include=${name}`, 200]);
    for (const name of closedIncludes) {
      const response = await getAnonymously(`${page}?include=${name}`);
      expect([name, response.status, response.json, response.headers.get('www-authenticate')]).toEqual([
        name,
        401,
        refusal,
        'Bearer',
      ]);
    }
  });

  test.each(['none', 'page', 'public'] as const)('nothing can be written with ANONYMOUS_READS=%s', async reads => {
    service.settings.anonymousReads = reads;
    for (const method of ['PATCH', 'PUT', 'DELETE']) {
      for (const path of [page, paths.component, paths.notice, `${page}/brand`])
        expect((await service.call(method, path, { token: null, json: {} })).status).toBe(401);
    }
    for (const path of ['/v1/pages', `${page}/components`, `${page}/notices`, `${page}/subscribers`])
      expect((await service.post(path, {}, { token: null })).status).toBe(401);
  });

  test.each(['none', 'page', 'public'] as const)(
    'a wrong token is refused even so, with ANONYMOUS_READS=%s',
    async reads => {
      service.settings.anonymousReads = reads;
      for (const path of [...openToPage(), ...openToPublic()])
        expect((await service.get(path, { token: 'wrong' })).status).toBe(401);
    },
  );

  test('notices of the distant past are hidden everywhere', async () => {
    service.settings.anonymousReads = 'public';
    for (const path of [paths.old, paths.oldUpdate, `${paths.old}/updates`]) {
      expect((await getAnonymously(path)).json).toEqual({
        error: 'not_found',
        error_description: "We couldn't find the notice you were looking for.",
      });
      expect((await service.get(path)).status).toBe(200);
    }
    const lists: [path: string, subjects: (json: { response: never }) => string[]][] = [
      [`${page}/notices`, ({ response }) => (response as { subject: string }[]).map(({ subject }) => subject)],
      [
        `${page}/notices?filter[subject_eq]=Old`,
        ({ response }) => (response as { subject: string }[]).map(({ subject }) => subject),
      ],
      [
        `${page}/notices?filter[timeline_state_eq]=past_distant`,
        ({ response }) => (response as { subject: string }[]).map(({ subject }) => subject),
      ],
      [
        `${page}?include=notices`,
        ({ response }) => (response as { notices: { subject: string }[] }).notices.map(({ subject }) => subject),
      ],
      [
        `${page}?include=notices&filter[notices][timeline_state_eq]=past_distant`,
        ({ response }) => (response as { notices: { subject: string }[] }).notices.map(({ subject }) => subject),
      ],
    ];
    for (const [path, subjects] of lists) {
      expect([path, subjects((await service.get(path)).json)]).toEqual([path, expect.arrayContaining(['Old'])]);
      expect([path, subjects((await getAnonymously(path)).json)]).not.toEqual([path, expect.arrayContaining(['Old'])]);
    }
    expect((await getAnonymously(`${page}/notices?page=1`)).json.pagination.count).toBe(1);
    expect((await service.get(`${page}/notices?page=1`)).json.pagination.count).toBe(2);
  });

  test('the response is the same as with a token, except for hidden records', async () => {
    for (const path of openToPage()) {
      const [anonymous, authenticated] = [await getAnonymously(path), await service.get(path)];
      expect([anonymous.text, anonymous.headers.get('etag')]).toEqual([
        authenticated.text,
        authenticated.headers.get('etag'),
      ]);
    }
  });

  test('preflights, health checks and metrics are answered', async () => {
    service.settings.anonymousReads = 'none';
    expect((await service.call('OPTIONS', page, { token: null })).status).toBe(204);
    for (const path of ['/healthz', '/readyz', '/metrics']) expect(await anonymousStatus(path)).toEqual([path, 200]);
  });
});
