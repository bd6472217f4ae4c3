import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

const service = useOwnService();
let first: string;
let second: string;
beforeAll(async () => {
  first = (await createPage(service)).id;
  second = (await createPage(service)).id;
});
afterEach(() => {
  service.settings.anonymousReads = 'public';
});

const ask = async (token: string | null) => {
  const { json } = await service.graphql(
    `query($first: ID!, $second: ID!) {
      viewer { kind everywhere: role onFirst: role(pageId: $first) onSecond: role(pageId: $second) roles { pageId role } pages { nodes { id } } }
    }`,
    { first, second },
    { token },
  );
  expect(json.errors).toBeUndefined();
  return json.data.viewer;
};

test.each(['none', 'page', 'public'] as const)('is anonymous without a token with ANONYMOUS_READS=%s', async mode => {
  service.settings.anonymousReads = mode;
  expect(await ask(null)).toEqual({
    kind: 'ANONYMOUS',
    everywhere: null,
    onFirst: null,
    onSecond: null,
    roles: [],
    pages: null,
  });
});

test('has the role of a token on its pages, and lists them', async () => {
  const token = await createToken(service.database, 'one page', { role: 'publisher', pageIds: [second] });
  expect(await ask(token)).toEqual({
    kind: 'TOKEN',
    everywhere: null,
    onFirst: null,
    onSecond: 'PUBLISHER',
    roles: [{ pageId: second, role: 'PUBLISHER' }],
    pages: { nodes: [{ id: second }] },
  });
});

test('has the role of a token on all pages', async () => {
  expect(await ask(service.tokens.write)).toEqual({
    kind: 'TOKEN',
    everywhere: 'OWNER',
    onFirst: 'OWNER',
    onSecond: 'OWNER',
    roles: [{ pageId: null, role: 'OWNER' }],
    pages: { nodes: [{ id: first }, { id: second }] },
  });
});
