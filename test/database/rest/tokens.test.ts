import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { listTokens, scopes } from '../../../src/auth/token.service.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { createToken, revokeToken } from '../../support/tokens.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const service = useOwnService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service)).path;
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
    for (const path of ['/v1/hello', page]) {
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
    await waitUntilEqual(status, 401);
  });

  test('of scope read cannot write by PUT or by an overridden method', async () => {
    const token = service.tokens.read;
    expect((await service.call('PUT', page, { json: { name: 'x' }, token })).status).toBe(403);
    const headers = { 'X-HTTP-Method-Override': 'DELETE' };
    expect((await service.post(page, {}, { token, headers })).status).toBe(403);
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
  test.each(['page', 'public'] as const)('a page can include what is public with ANONYMOUS_READS=%s', async reads => {
    service.settings.anonymousReads = reads;
    for (const name of openIncludes)
      expect([name, (await getAnonymously(`${page}?include=${name}`)).status]).toEqual([name, 200]);
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

  test('preflights, health checks and metrics are answered', async () => {
    service.settings.anonymousReads = 'none';
    expect((await service.call('OPTIONS', page, { token: null })).status).toBe(204);
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect([path, (await getAnonymously(path)).status]).toEqual([path, 200]);
  });
});
