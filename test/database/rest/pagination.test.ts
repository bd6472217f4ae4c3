import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';

/** The records of every list are written by SQL: 501 of each on the large page, three on the small one, none on the empty one. */
let service: TestService;
const pages = { large: '', small: '', empty: '', exact: '' };
const notices: Record<string, number> = {};
beforeAll(async () => {
  service = await startTestService();
  for (const [name, count] of Object.entries({ empty: 0, small: 3, exact: 500, large: 501 })) {
    const id = (await service.post('/v1/pages', { name })).json.response.id;
    pages[name as keyof typeof pages] = `/v1/pages/${id}`;
    await service.database.query(
      `insert into component (page_id, name, position, created_at, updated_at) select $1, 'c' || n, n, now(), now() from generate_series(1, $2::integer) n`,
      [id, count],
    );
    await service.database.query(
      `insert into notice_template (id, page_id, name, created_at, updated_at)
       select lpad(n::text, 4, '0') || left($3, 2), $1, 't' || n, now() + n * interval '1 second', now() from generate_series(1, $2::integer) n`,
      [id, count, name],
    );
    await service.database.query(
      `insert into subscriber (page_id, email, consent_source, confirmed_at, created_at, updated_at)
       select $1, 's' || n || '@example.com', 'interface', now(), now(), now() from generate_series(1, $2::integer) n`,
      [id, count],
    );
    await service.database.query(
      `insert into notice (page_id, type, subject, path, state, began_at, created_at, updated_at)
       select $1, 'unplanned', 'n' || n, 'p' || n, 'resolved', now(), now(), now() from generate_series(1, $2::integer) n`,
      [id, count],
    );
    const [notice] = await service.database.query<{ id: number }>(
      'select max(id) as id from notice where page_id = $1',
      [id],
    );
    if (!count) continue;
    notices[name] = notice!.id;
    await service.database.query(
      `insert into notice_update (notice_id, content, created_at, updated_at) select $1, 'u' || n, now(), now() from generate_series(1, $2::integer) n`,
      [notice!.id, count],
    );
  }
});
afterAll(() => service.stop());

const list = async (size: keyof typeof pages, collection: string, query = '') => {
  const path = collection === 'updates' ? `notices/${notices[size]}/updates` : collection;
  return (await service.get(`${pages[size]}/${path}${query}`)).json;
};
const names = (records: Record<string, string>[]) =>
  records.map(({ name, subject, content, email }) => name ?? subject ?? content ?? email);
const unpaged = ['components', 'notices', 'updates', 'subscribers'];
const all = [...unpaged, 'notice_templates'];

describe.each(unpaged)('a list of %s', collection => {
  test('asked for without pages shows all, and nothing of pages', async () => {
    const answer = await list('small', collection);
    expect(Object.keys(answer)).toEqual(['response', 'count']);
    expect([answer.response.length, answer.count]).toEqual([3, 3]);
  });

  test('of exactly 500 is not cut, and shows nothing of pages', async () => {
    const answer = await list('exact', collection);
    expect(Object.keys(answer)).toEqual(['response', 'count']);
    expect([answer.response.length, answer.count]).toEqual([500, 500]);
  });

  test('of 501 is cut at 500, and says so', async () => {
    const answer = await list('large', collection);
    expect([answer.response.length, answer.count]).toEqual([500, 500]);
    expect(answer.pagination).toEqual({ current: 1, previous: null, next: 2, per_page: 500, pages: 2, count: 501 });
    expect(answer.response).toEqual((await list('large', collection, '?page=1&per_page=500')).response);
  });

  test('that a filter narrows to fewer is not cut', async () => {
    const attribute = { components: 'name', notices: 'subject', updates: 'content', subscribers: 'email' }[collection];
    const answer = await list('large', collection, `?filter[${attribute}_matches]=_1%25`);
    expect(Object.keys(answer)).toEqual(['response', 'count']);
    expect(answer.count).toBe(111);
  });
});

describe.each(all)('a list of %s by pages', collection => {
  test('holds 25 records when only a page is asked for', async () => {
    const answer = await list('large', collection, '?page=2');
    expect(Object.keys(answer)).toEqual(['response', 'count', 'pagination']);
    expect([answer.response.length, answer.count]).toEqual([25, 25]);
    expect(Object.entries(answer.pagination)).toEqual([
      ['current', 2],
      ['previous', 1],
      ['next', 3],
      ['per_page', 25],
      ['pages', 21],
      ['count', 501],
    ]);
  });

  test('begins with the first when only their length is asked for', async () => {
    const answer = await list('large', collection, '?per_page=200');
    expect([answer.count, answer.pagination]).toEqual([
      200,
      { current: 1, previous: null, next: 2, per_page: 200, pages: 3, count: 501 },
    ]);
  });

  test('shows each record once, in the order of the whole', async () => {
    const parts = [];
    for (const page of [1, 2, 3])
      parts.push(...(await list('large', collection, `?per_page=200&page=${page}`)).response);
    expect(new Set(parts.map(({ id }) => id)).size).toBe(501);
    expect(names(parts.slice(0, 500))).toEqual(names((await list('large', collection, '?per_page=500')).response));
    const numbers = parts.map(record => Number(/\d+/.exec(names([record])[0]!)));
    expect(numbers).toEqual(numbers.toSorted((one, other) => (collection === 'notices' ? other - one : one - other)));
  });

  test('has nothing after the last', async () => {
    const last = await list('large', collection, '?page=21');
    expect([last.count, last.pagination]).toMatchObject([1, { current: 21, previous: 20, next: null, pages: 21 }]);
    const beyond = await list('large', collection, '?page=22');
    expect(beyond).toMatchObject({
      response: [],
      count: 0,
      pagination: { current: 22, previous: 21, next: null, per_page: 25, pages: 21, count: 501 },
    });
  });

  test.each(['1000001', '2147483648', '99999999999', '9223372036854775808', `1${'0'.repeat(400)}`])(
    'has nothing on page %s',
    async page => {
      const answer = await list('small', collection, `?page=${page}`);
      expect(answer).toMatchObject({ response: [], count: 0, pagination: { next: null, pages: 1, count: 3 } });
    },
  );

  test.each(['501', '1000', '2147483648', '99999999999', `1${'0'.repeat(400)}`])(
    'holds 500 records when %s are asked for',
    async perPage => {
      expect((await list('large', collection, `?per_page=${perPage}`)).pagination).toMatchObject({
        per_page: 500,
        pages: 2,
      });
    },
  );

  test.each(['0', '-1', 'x', '', '1.5', '1e2', '0x10', '%00', '٣'])('takes the default for %p', async garbage => {
    const expected = { current: 1, previous: null, next: 2, per_page: 25, pages: 21, count: 501 };
    expect((await list('large', collection, `?per_page=${garbage}`)).pagination).toEqual(expected);
    expect((await list('large', collection, `?page=${garbage}`)).pagination).toEqual(expected);
    expect((await list('large', collection, `?page[]=${garbage}&per_page[x]=${garbage}`)).pagination).toEqual(expected);
  });

  test('counts what a filter leaves', async () => {
    const answer = await list('large', collection, '?per_page=5&filter[created_at_gt]=2001-01-01&filter[id_in][]=0');
    expect(answer).toMatchObject({
      response: [],
      count: 0,
      pagination: { current: 1, previous: null, next: null, per_page: 5, pages: 0, count: 0 },
    });
  });

  test('of nothing has no pages', async () => {
    const nothing = collection === 'updates' ? '?page=1&filter[content_eq]=none' : '?page=1';
    const answer = await list(collection === 'updates' ? 'small' : 'empty', collection, nothing);
    expect(answer).toEqual({
      response: [],
      count: 0,
      pagination: { current: 1, previous: null, next: null, per_page: 25, pages: 0, count: 0 },
    });
  });

  test('takes the numbers from the query string alone', async () => {
    expect((await list('small', collection, '?page=1&page=2&per_page=2')).pagination).toMatchObject({
      current: 2,
      previous: 1,
      next: null,
      per_page: 2,
      pages: 2,
      count: 3,
    });
  });
});

describe('templates', () => {
  test('are always shown by pages of 25', async () => {
    const answer = await list('large', 'notice_templates');
    expect(answer).toMatchObject({
      count: 25,
      pagination: { current: 1, previous: null, next: 2, per_page: 25, pages: 21, count: 501 },
    });
    expect((await list('small', 'notice_templates')).pagination).toEqual({
      current: 1,
      previous: null,
      next: null,
      per_page: 25,
      pages: 1,
      count: 3,
    });
    expect((await list('empty', 'notice_templates')).pagination).toEqual({
      current: 1,
      previous: null,
      next: null,
      per_page: 25,
      pages: 0,
      count: 0,
    });
  });
});

describe('pages and time zones', () => {
  test.each(['/v1/pages', '/v1/timezones'])('are shown by pages only when asked so: %s', async path => {
    const whole = (await service.get(path)).json;
    expect(Object.keys(whole)).toEqual(['response', 'count']);
    const paged = (await service.get(`${path}?per_page=2&page=2`)).json;
    expect(paged.response).toEqual(whole.response.slice(2, 4));
    expect(paged.pagination).toMatchObject({
      current: 2,
      previous: 1,
      per_page: 2,
      pages: Math.ceil(whole.count / 2),
      count: whole.count,
    });
  });

  test('include lists of 500 at most', async () => {
    const { response } = (await service.get(`${pages.large}?include=components,notices,subscribers`)).json;
    expect([response.components.length, response.notices.length, response.subscribers.length]).toEqual([500, 500, 500]);
    expect(names(response.components)).toEqual(names((await list('large', 'components')).response));
    expect(names(response.notices)).toEqual(names((await list('large', 'notices')).response));
    expect(names(response.subscribers)).toEqual(names((await list('large', 'subscribers')).response));
  });
});

test('a list that is cut keeps what its request includes', async () => {
  const answer = await list('large', 'notices', '?include=updates');
  expect(answer.response[0].updates).toHaveLength(500);
  expect(answer.pagination.count).toBe(501);
});
