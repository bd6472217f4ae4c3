import { beforeAll, describe, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let page: string;
beforeAll(async () => {
  page = (await createPage(service)).id;
});

const list = <Value>(length: number, write: (index: number) => Value) =>
  Array.from({ length }, (_, index) => write(index));

/** Filters the notices of the page without a token. */
async function filterNotices(filter: object) {
  const query = 'query ($page: ID!, $filter: NoticeFilter) { notices(pageId: $page, filter: $filter) { totalCount } }';
  return await service.graphql(query, { page, filter }, { token: null });
}

describe('an invalid variable', () => {
  test('has one error, whose text is short whatever the value is', async () => {
    const { status, json, text } = await filterNotices(
      Object.fromEntries(list(4_000, index => [`${'subject'.repeat(30)}${index}`, 1])),
    );
    expect([status, json.errors.length]).toEqual([200, 1]);
    expect(json.errors[0]).toMatchObject({
      message: expect.stringMatching(
        /^Variable "\$filter" got invalid value .* … .*is not defined by type "NoticeFilter"\.$/,
      ),
      extensions: { code: 'BAD_USER_INPUT' },
    });
    expect(text.length).toBeLessThan(5_000);
  });

  test('is compared with no name when it is a long text in place of one', async () => {
    const { json } = await filterNotices({ state: { eq: 'RESOLVED'.repeat(100_000) } });
    expect(json.errors).toMatchObject([
      { message: expect.stringMatching(/The text does not exist in "[A-Za-z]+" enum/) },
    ]);
    const { json: near } = await filterNotices({ state: { eq: 'RESOLVE' } });
    expect(near.errors[0].message).toMatch(/Did you mean the enum value "RESOLVED"/);
  });

  test('cannot have members with long names', async () => {
    const { json } = await filterNotices({ ['subject'.repeat(2_000)]: 1 });
    expect(json.errors).toEqual([
      {
        message: 'The variable `filter` has a member whose name is longer than 8,192 characters.',
        extensions: { code: 'BAD_REQUEST' },
      },
    ]);
  });
});

test('without a token a body has at most 10,000 values', async () => {
  const times = list(10_001, index => new Date(index * 1_000).toISOString());
  const { status, json } = await filterNotices({ beganAt: { in: times } });
  expect([status, json.errors[0].message]).toEqual([413, 'The JSON has more than 10,000 values.']);
});
