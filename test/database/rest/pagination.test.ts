import { beforeAll, describe, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { recordStatements } from '../../support/statements.js';

/** SQL inserts the records of every list: 501 on the large page, 500 on the exact one, 3 on the small one. */
const service = useOwnService();
const pages = { large: '', small: '', empty: '', exact: '' };
const notices: Record<string, number> = {};
beforeAll(async () => {
  for (const [name, count] of Object.entries({ empty: 0, small: 3, exact: 500, large: 501 })) {
    const { id } = await createPage(service, { name });
    pages[name as keyof typeof pages] = `/v1/pages/${id}`;
    await service.database.query(
      `insert into component (page_id, name, position, created_at, updated_at)
       select $1, 'c' || n, n, now(), now() from generate_series(1, $2::integer) n`,
      [id, count],
    );
    await service.database.query(
      `insert into notice_template (id, page_id, name, created_at, updated_at)
       select lpad(n::text, 4, '0') || left($3, 2), $1, 't' || n, now() + n * interval '1 second', now()
       from generate_series(1, $2::integer) n`,
      [id, count, name],
    );
    await service.database.query(
      `insert into subscriber (page_id, email, consent_source, confirmed_at, created_at, updated_at)
       select $1, 's' || n || '@example.com', 'interface', now(), now(), now() from generate_series(1, $2::integer) n`,
      [id, count],
    );
    await service.database.query(
      `insert into notice (page_id, type, subject, path, state, began_at, created_at, updated_at)
       select $1, 'unplanned', 'n' || n, 'p' || n, 'resolved', now(), now(), now()
       from generate_series(1, $2::integer) n`,
      [id, count],
    );
    const [notice] = await service.database.query<{ id: number }>(
      'select max(id) as id from notice where page_id = $1',
      [id],
    );
    if (!count) continue;
    notices[name] = notice!.id;
    await service.database.query(
      `insert into notice_update (notice_id, content, posted_at, created_at, updated_at)
       select $1, 'u' || n, now(), now(), now() from generate_series(1, $2::integer) n`,
      [notice!.id, count],
    );
  }
});

const list = async (size: keyof typeof pages, collection: string, query = '') => {
  const path = collection === 'updates' ? `notices/${notices[size]}/updates` : collection;
  return (await service.get(`${pages[size]}/${path}${query}`)).json;
};
const names = (records: Record<string, string>[]) =>
  records.map(({ name, subject, content, email }) => name ?? subject ?? content ?? email);
const unpaginated = ['components', 'notices', 'updates', 'subscribers'];
const all = [...unpaginated, 'notice_templates'];

describe.each(unpaginated)('an unpaginated list of %s', collection => {
  test('returns all records without pagination', async () => {
    const response = await list('small', collection);
    expect(Object.keys(response)).toEqual(['response', 'count']);
    expect([response.response.length, response.count]).toEqual([3, 3]);
  });

  test('with exactly 500 records is complete, without pagination', async () => {
    const response = await list('exact', collection);
    expect(Object.keys(response)).toEqual(['response', 'count']);
    expect([response.response.length, response.count]).toEqual([500, 500]);
  });

  test('with 501 records is truncated to 500, with pagination', async () => {
    const response = await list('large', collection);
    expect([response.response.length, response.count]).toEqual([500, 500]);
    expect(response.pagination).toEqual({ current: 1, previous: null, next: 2, per_page: 500, pages: 2, count: 501 });
    expect(response.response).toEqual((await list('large', collection, '?page=1&per_page=500')).response);
  });

  test('that a filter reduces below 500 is complete', async () => {
    const attribute = { components: 'name', notices: 'subject', updates: 'content', subscribers: 'email' }[collection];
    const response = await list('large', collection, `?filter[${attribute}_matches]=_1%25`);
    expect(Object.keys(response)).toEqual(['response', 'count']);
    expect(response.count).toBe(111);
  });
});

describe.each(all)('a paginated list of %s', collection => {
  test('has 25 records if only page is sent', async () => {
    const response = await list('large', collection, '?page=2');
    expect(Object.keys(response)).toEqual(['response', 'count', 'pagination']);
    expect([response.response.length, response.count]).toEqual([25, 25]);
    expect(Object.entries(response.pagination)).toEqual([
      ['current', 2],
      ['previous', 1],
      ['next', 3],
      ['per_page', 25],
      ['pages', 21],
      ['count', 501],
    ]);
  });

  test('starts with the first page if only per_page is sent', async () => {
    const response = await list('large', collection, '?per_page=200');
    expect([response.count, response.pagination]).toEqual([
      200,
      { current: 1, previous: null, next: 2, per_page: 200, pages: 3, count: 501 },
    ]);
  });

  test('has each record once, in the order of the unpaginated list', async () => {
    const parts = [];
    for (const page of [1, 2, 3])
      parts.push(...(await list('large', collection, `?per_page=200&page=${page}`)).response);
    expect(new Set(parts.map(({ id }) => id)).size).toBe(501);
    expect(names(parts.slice(0, 500))).toEqual(names((await list('large', collection, '?per_page=500')).response));
    const numbers = parts.map(record => Number(/\d+/.exec(names([record])[0]!)));
    expect(numbers).toEqual(numbers.toSorted((one, other) => (collection === 'notices' ? other - one : one - other)));
  });

  test('has an empty page after the last', async () => {
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
    'has no records on page %s',
    async page => {
      const response = await list('small', collection, `?page=${page}`);
      expect(response).toMatchObject({ response: [], count: 0, pagination: { next: null, pages: 1, count: 3 } });
    },
  );

  test.each(['501', '1000', '2147483648', '99999999999', `1${'0'.repeat(400)}`])(
    'has 500 records if per_page is %s',
    async perPage => {
      expect((await list('large', collection, `?per_page=${perPage}`)).pagination).toMatchObject({
        per_page: 500,
        pages: 2,
      });
    },
  );

  test.each(['0', '-1', 'x', '', '1.5', '1e2', '0x10', '%00', '٣'])('uses the default for %p', async garbage => {
    const expected = { current: 1, previous: null, next: 2, per_page: 25, pages: 21, count: 501 };
    expect((await list('large', collection, `?per_page=${garbage}`)).pagination).toEqual(expected);
    expect((await list('large', collection, `?page=${garbage}`)).pagination).toEqual(expected);
    expect((await list('large', collection, `?page[]=${garbage}&per_page[x]=${garbage}`)).pagination).toEqual(expected);
  });

  test('counts the filtered records', async () => {
    const response = await list('large', collection, '?per_page=5&filter[created_at_gt]=2001-01-01&filter[id_in][]=0');
    expect(response).toMatchObject({
      response: [],
      count: 0,
      pagination: { current: 1, previous: null, next: null, per_page: 5, pages: 0, count: 0 },
    });
  });

  test('without records has no pages', async () => {
    const nothing = collection === 'updates' ? '?page=1&filter[content_eq]=none' : '?page=1';
    const response = await list(collection === 'updates' ? 'small' : 'empty', collection, nothing);
    expect(response).toEqual({
      response: [],
      count: 0,
      pagination: { current: 1, previous: null, next: null, per_page: 25, pages: 0, count: 0 },
    });
  });

  test('uses the last value of a repeated parameter', async () => {
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
  test('are always paginated, by 25', async () => {
    const response = await list('large', 'notice_templates');
    expect(response).toMatchObject({
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
  test.each(['/v1/pages', '/v1/timezones'])('are paginated on request only: %s', async path => {
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

  test('include up to 500 records of a list', async () => {
    const { response } = (await service.get(`${pages.large}?include=components,notices,subscribers`)).json;
    expect([response.components.length, response.notices.length, response.subscribers.length]).toEqual([500, 500, 500]);
    expect(names(response.components)).toEqual(names((await list('large', 'components')).response));
    expect(names(response.notices)).toEqual(names((await list('large', 'notices')).response));
    expect(names(response.subscribers)).toEqual(names((await list('large', 'subscribers')).response));
  });
});

describe('the statements of an unpaginated list', () => {
  const record = async (size: keyof typeof pages, query = '') => {
    // With this header a response is not taken from memory.
    const headers = { 'if-match': '*' };
    const statements = await recordStatements(service.database, () =>
      service.get(`${pages[size]}/notices${query}`, { headers }),
    );
    return statements.map(statement => (/json_agg/.test(statement) ? 'list' : 'count'));
  };

  test('a list that is not full takes one', async () => {
    expect(await record('small')).toEqual(['list']);
    expect(await record('empty')).toEqual(['list']);
    expect(await record('large', '?filter[subject_eq]=n1')).toEqual(['list']);
  });

  test('a full list is counted, and not read again', async () => {
    expect(await record('exact')).toEqual(['list', 'count']);
    expect(await record('large')).toEqual(['list', 'count']);
    expect(await record('large', '?filter[subject_cont]=n&include=updates')).toEqual(['list', 'count']);
  });
});

test('a truncated list keeps its includes', async () => {
  const response = await list('large', 'notices', '?include=updates');
  expect(response.response[0].updates).toHaveLength(500);
  expect(response.pagination.count).toBe(501);
});
