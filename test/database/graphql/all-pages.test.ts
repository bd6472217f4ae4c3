import { beforeAll, describe, expect, test } from '@jest/globals';
import { createNotice, createPage } from '../../support/factories.js';
import { openEvents, type ReceivedEvent } from '../../support/event-stream.js';
import { useOwnService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

/** What a caller reads of all its pages at once. */
const service = useOwnService();
let pages: { id: string; path: string }[];
let ofFirst: string;
beforeAll(async () => {
  pages = [await createPage(service), await createPage(service)];
  await createNotice(service, pages[0]!.path, { subject: 'First' });
  await createNotice(service, pages[1]!.path, { subject: 'Second' });
  await createNotice(service, pages[1]!.path, { subject: 'Over', state: 'resolved' });
  ofFirst = await createToken(service.database, 'of the first', { role: 'viewer', pageIds: [pages[0]!.id] });
});

const query = '{ notices(filter: { timelineState: { eq: PRESENT } }) { totalCount nodes { subject page { id } } } }';
const readSubjects = async (token: string) => {
  const { notices } = (await service.graphql(query, {}, { token })).json.data;
  expect(notices.totalCount).toBe(notices.nodes.length);
  return notices.nodes.map(({ subject }: { subject: string }) => subject);
};

test('`notices` without a page lists those of all pages on which the caller has a role, newest first', async () => {
  expect(await readSubjects(service.tokens.read)).toEqual(['Second', 'First']);
  expect(await readSubjects(ofFirst)).toEqual(['First']);
});

describe('pagesChanged', () => {
  const subscription = 'subscription { pagesChanged { cursor pages(first: 50) { nodes { name } } } }';
  const open = (token: string | null) =>
    openEvents(`${service.url}/graphql/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query: subscription }),
    });
  const rename = (index: number, name: string) => service.patch(pages[index]!.path, { name });
  const namesOf = (event: ReceivedEvent | null) =>
    event!.json.data.pagesChanged.pages.nodes.map(({ name }: { name: string }) => name);

  test('sends the pages on which the caller has a role, whenever one of them changes', async () => {
    await rename(0, 'One');
    await rename(1, 'Two');
    const [all, first] = await Promise.all([open(service.tokens.read), open(ofFirst)]);
    expect([namesOf(await all.next()), namesOf(await first.next())]).toEqual([['One', 'Two'], ['One']]);
    await rename(0, 'Changed');
    expect([namesOf(await all.next()), namesOf(await first.next())]).toEqual([['Changed', 'Two'], ['Changed']]);
    all.close();
    first.close();
  });

  test('has the same cursor while pages change on which the caller has no role', async () => {
    const readCursor = async () => {
      const stream = await open(ofFirst);
      const event = await stream.next();
      stream.close();
      return event!.json.data.pagesChanged.cursor;
    };
    const before = await readCursor();
    await rename(1, 'Of others');
    expect(await readCursor()).toBe(before);
    await rename(0, 'Own');
    expect(await readCursor()).not.toBe(before);
  });

  test('requires a token', async () => {
    expect((await (await open(null)).next())!.json.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });
});

test('`notices` without a page requires a token, whatever is open without one', async () => {
  const { data, errors } = (await service.graphql(query, {}, { token: null })).json;
  expect(data).toEqual({ notices: null });
  expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED', path: ['pageId'] } }]);
});
