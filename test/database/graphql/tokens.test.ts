import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hashTables } from '../../support/access-records.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { codesByField } from '../../support/user-errors.js';
import { createToken } from '../../support/tokens.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const service = useOwnService();
let own: string;
let foreign: string;
let pageOwner: string;
beforeAll(async () => {
  own = (await createPage(service)).id;
  foreign = (await createPage(service)).id;
  pageOwner = await createToken(service.database, 'page owner', { role: 'owner', pageIds: [own] });
});
afterEach(() => {
  service.settings.anonymousReads = 'public';
});

const fields = 'id label role pageIds hasReadScope prefix lastFour createdAt expiresAt lastUsedAt revokedAt';
const create = async (input: object, token: string | null = service.tokens.write, headers = {}) =>
  (
    await service.graphql(
      `mutation($input: CreateTokenInput!) { createToken(input: $input) { secret token { ${fields} } } }`,
      { input: { label: 'New', role: 'VIEWER', ...input } },
      { token, headers },
    )
  ).json;
const revoke = async (id: string, token = service.tokens.write) =>
  (await service.graphql('mutation($id: ID!) { revokeToken(id: $id) { token { id revokedAt } } }', { id }, { token }))
    .json;
const list = async (token: string): Promise<{ label: string; id: string }[]> =>
  (await service.graphql(`{ tokens(first: 100) { nodes { ${fields} } } }`, {}, { token })).json.data.tokens.nodes;
const viewerOf = async (token: string) =>
  (await service.graphql('{ viewer { kind role token { label lastUsedAt } } }', {}, { token })).json;
const codeOf = (json: { errors?: { extensions: { code: string } }[] }) => json.errors?.[0]?.extensions.code;

describe('createToken', () => {
  test('answers the secret once, and stores its hash, prefix and last four characters', async () => {
    const { data } = await create({ label: ' Deploys ', role: 'PUBLISHER', pageIds: [own] });
    const { secret, token } = data.createToken;
    expect(token).toMatchObject({
      label: 'Deploys',
      role: 'PUBLISHER',
      pageIds: [own],
      hasReadScope: false,
      revokedAt: null,
      prefix: secret.slice(0, 4),
      lastFour: secret.slice(-4),
      lastUsedAt: null,
    });
    expect(JSON.stringify(await list(service.tokens.write))).not.toContain(secret);
    expect(JSON.stringify(await service.database.query('select * from token'))).not.toContain(secret);
    const { json } = await service.graphql(
      'query($own: ID!, $foreign: ID!) { viewer { all: role own: role(pageId: $own) foreign: role(pageId: $foreign) } }',
      { own, foreign },
      { token: secret },
    );
    expect(json.data.viewer).toEqual({ all: null, own: 'PUBLISHER', foreign: null });
  });

  test.each<[string, object, number | null]>([
    ['expires in 90 days without a time', {}, 90],
    ['never expires with null', { expiresAt: null }, null],
  ])('%s', async (_, input, days) => {
    const { createdAt, expiresAt } = (await create(input)).data.createToken.token;
    const lifetime = expiresAt && (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000;
    expect(lifetime === null ? null : Math.round(lifetime)).toBe(days);
  });

  test.each<[string, object, string]>([
    ['a blank label', { label: ' ' }, 'label'],
    ['a label of 256 characters', { label: 'x'.repeat(256) }, 'label'],
    ['a time in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['no pages', { pageIds: [] }, 'pageIds'],
    ['a page that does not exist', { pageIds: ['00000000'] }, '0'],
    ['a page id that PostgreSQL cannot store', { pageIds: ['\0'] }, '0'],
    ['101 pages', { pageIds: Array.from({ length: 101 }, (_, index) => String(index)) }, 'pageIds'],
  ])('refuses %s, and stores nothing', async (_, input, field) => {
    const before = await hashTables(service.database);
    const json = await create(input);
    expect([codeOf(json), Object.keys(codesByField(json))]).toEqual(['INVALID', [field]]);
    expect(await hashTables(service.database)).toBe(before);
  });

  test('gives at most what its maker has', async () => {
    const before = await hashTables(service.database);
    expect(codeOf(await create({}, pageOwner))).toBe('FORBIDDEN');
    const other = await create({ pageIds: [own, foreign] }, pageOwner);
    const missing = await create({ pageIds: [own, '00000000'] }, pageOwner);
    expect(JSON.stringify(other.errors).replaceAll(foreign, '00000000')).toBe(JSON.stringify(missing.errors));
    const publisher = await createToken(service.database, 'publisher', { role: 'publisher' });
    expect(codeOf(await create({ pageIds: [own] }, publisher))).toBe('FORBIDDEN');
    expect(codeOf(await create({}, service.tokens.read))).toBe('FORBIDDEN');
    expect(codeOf(await create({}, null))).toBe('UNAUTHENTICATED');
    await service.database.query("delete from token where label = 'publisher'");
    expect(await hashTables(service.database)).toBe(before);
    expect((await create({ role: 'OWNER', pageIds: [own] }, pageOwner)).errors).toBeUndefined();
  });

  test('refuses an Idempotency-Key, with which the secret would be stored', async () => {
    const before = await hashTables(service.database);
    expect(codeOf(await create({}, service.tokens.write, { 'idempotency-key': 'once' }))).toBe('BAD_REQUEST');
    expect(await hashTables(service.database)).toBe(before);
  });
});

describe('A token', () => {
  test('is refused once it has expired', async () => {
    const { secret, token } = (await create({ label: 'short' })).data.createToken;
    expect((await viewerOf(secret)).data.viewer.kind).toBe('TOKEN');
    await service.database.query('update token set expires_at = now() - make_interval(secs => 1) where id = $1', [
      Number(token.id),
    ]);
    await expectRefusal(secret);
  });

  test('is refused soon after it was revoked', async () => {
    const { secret, token } = (await create({ label: 'revoked' })).data.createToken;
    expect((await viewerOf(secret)).data.viewer.kind).toBe('TOKEN');
    expect((await revoke(token.id)).data.revokeToken.token).toEqual({ id: token.id, revokedAt: expect.any(String) });
    await expectRefusal(secret);
  });

  test('knows the hour of its last use', async () => {
    const { secret } = (await create({ label: 'used' })).data.createToken;
    const { token } = (await viewerOf(secret)).data.viewer;
    expect(token).toEqual({ label: 'used', lastUsedAt: expect.stringMatching(/:00:00\.000Z$/) });
  });
});

/** Processes forget a token within a second. */
const expectRefusal = (secret: string) => waitUntilEqual(async () => codeOf(await viewerOf(secret)), 'UNAUTHENTICATED');

describe('A token that another has made', () => {
  const maker = async (expiresAt: string | null) =>
    (await create({ role: 'OWNER', pageIds: [own], expiresAt })).data.createToken;
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  test('expires no later than that', async () => {
    const before = await hashTables(service.database);
    const { secret, token } = await maker(inDays(7));
    const made = (await create({ pageIds: [own] }, secret)).data.createToken.token;
    expect(made.expiresAt).toBe(token.expiresAt);
    for (const expiresAt of [null, inDays(8)]) {
      const json = await create({ pageIds: [own], expiresAt }, secret);
      expect([codeOf(json), codesByField(json)]).toEqual(['INVALID', { expiresAt: ['OUT_OF_RANGE'] }]);
    }
    expect(await hashTables(service.database)).not.toBe(before);
    expect((await create({ pageIds: [own], expiresAt: inDays(6) }, secret)).errors).toBeUndefined();
    const endless = (await maker(null)).secret;
    expect((await create({ pageIds: [own], expiresAt: null }, endless)).data.createToken.token.expiresAt).toBeNull();
  });

  test('is revoked with that', async () => {
    const { secret, token } = await maker(null);
    const child = (await create({ role: 'OWNER', pageIds: [own] }, secret)).data.createToken.secret;
    const grandchild = (await create({ pageIds: [own] }, child)).data.createToken.secret;
    expect((await revoke(token.id)).errors).toBeUndefined();
    await expectRefusal(child);
    await expectRefusal(grandchild);
  });
});

describe('The owner of a page', () => {
  test('lists the tokens of that page alone', async () => {
    const both = (await create({ label: 'both', pageIds: [own, foreign] })).data.createToken.token;
    const one = (await create({ label: 'one', pageIds: [own] }, pageOwner)).data.createToken.token;
    const ids = (await list(pageOwner)).map(({ id }) => id);
    expect(ids).toContain(one.id);
    expect(ids).not.toContain(both.id);
    expect((await list(pageOwner)).map(({ label }) => label)).not.toContain('write');
    expect((await list(service.tokens.write)).map(({ label }) => label)).toContain('write');
  });

  test('revokes them, and no others', async () => {
    const one = (await create({ label: 'one', pageIds: [own] })).data.createToken.token;
    const all = (await create({ label: 'all' })).data.createToken.token;
    expect((await revoke(one.id, pageOwner)).errors).toBeUndefined();
    expect(codeOf(await revoke(all.id, pageOwner))).toBe('NOT_FOUND');
    expect((await revoke(all.id, pageOwner)).errors).toEqual((await revoke('999999', pageOwner)).errors);
    expect((await list(service.tokens.write)).find(({ id }) => id === all.id)).toMatchObject({ revokedAt: null });
  });
});

test('a token of scope read neither lists nor makes tokens', async () => {
  const { json } = await service.graphql('{ tokens { nodes { id } } }', {}, { token: service.tokens.read });
  expect(codeOf(json)).toBe('FORBIDDEN');
});
