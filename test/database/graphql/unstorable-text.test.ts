import { beforeAll, describe, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';
import { type GraphqlRecords, createGraphqlRecords } from '../../support/graphql-records.js';

const service = useService();
let records: GraphqlRecords;
beforeAll(async () => {
  records = await createGraphqlRecords(service);
});

/** Every argument that takes a text or an id, with text that PostgreSQL cannot store. */
describe('U+0000 and lone surrogates', () => {
  const odd = ['\0', 'a\0b', '\ud800', 'a\udc00b'];
  const places: [string, string, (value: string) => Record<string, unknown>][] = [
    ['an id', 'query($v: ID!) { page(id: $v) { id } }', v => ({ v })],
    ['the id of a notice', 'query($p: ID!, $v: ID!) { notice(pageId: $p, id: $v) { id } }', v => ({ v })],
    ['the id of a template', 'query($p: ID!, $v: ID!) { noticeTemplate(pageId: $p, id: $v) { id } }', v => ({ v })],
    ['the name of a time zone', 'query($v: ID!) { timezone(id: $v) { name } }', v => ({ v })],
    ['a cursor', 'query($p: ID!, $v: String) { notices(pageId: $p, after: $v) { totalCount } }', v => ({ v })],
    [
      'a cursor that holds it',
      'query($p: ID!, $v: String) { components(pageId: $p, after: $v, orderBy: [{ field: NAME }]) { totalCount } }',
      v => ({ v: Buffer.from(JSON.stringify([v, 1])).toString('base64') }),
    ],
    [
      'a cursor of a moment',
      'query($p: ID!, $v: String) { components(pageId: $p, after: $v, orderBy: [{ field: CREATED_AT }]) { totalCount } }',
      v => ({ v: Buffer.from(JSON.stringify([v, 1])).toString('base64') }),
    ],
    ...['eq', 'notEq', 'matches', 'cont', 'gt', 'lteq'].map((operator): (typeof places)[number] => [
      `the filter ${operator}`,
      'query($p: ID!, $f: NoticeFilter) { notices(pageId: $p, filter: $f) { totalCount } }',
      v => ({ f: { subject: { [operator]: v } } }),
    ]),
    [
      'the filter in',
      'query($p: ID!, $f: NoticeFilter) { notices(pageId: $p, filter: $f) { totalCount } }',
      v => ({ f: { tagList: { in: [v] } } }),
    ],
    [
      'a filter through a relation',
      'query($p: ID!, $f: NoticeFilter) { page(id: $p) { notices(filter: $f) { nodes { id } } } }',
      v => ({ f: { updates: { content: { cont: v } } } }),
    ],
    [
      'a filter of ids',
      'query($f: PageFilter) { pages(filter: $f) { totalCount } }',
      v => ({ f: { id: { in: [v] } } }),
    ],
    [
      'a filter of e-mail',
      'query($p: ID!, $f: SubscriberFilter) { subscribers(pageId: $p, filter: $f) { totalCount } }',
      v => ({ f: { email: { eq: v } } }),
    ],
    [
      'forComponent',
      'query($p: ID!, $f: SubscriberFilter) { subscribers(pageId: $p, filter: $f) { totalCount } }',
      v => ({ f: { forComponent: v } }),
    ],
    ['a name', 'mutation($i: CreatePageInput!) { createPage(input: $i) { page { id } } }', v => ({ i: { name: v } })],
    ...[
      'timezone',
      'supportEmail',
      'supportTelephone',
      'supportUrl',
      'metaTitle',
      'metaDescription',
      'googleAnalyticsId',
      'locale',
    ].map((field): (typeof places)[number] => [
      `${field} of a page`,
      'mutation($i: CreatePageInput!) { createPage(input: $i) { page { id } } }',
      v => ({ i: { name: 'x', [field]: v } }),
    ]),
    ...['subject', 'content'].map((field): (typeof places)[number] => [
      `${field} of a notice`,
      'mutation($p: ID!, $i: OpenIncidentInput!) { openIncident(pageId: $p, input: $i) { notice { id } } }',
      v => ({ i: { subject: 'x', shouldPublish: false, [field]: v } }),
    ]),
    [
      'a tag',
      'mutation($p: ID!, $i: OpenIncidentInput!) { openIncident(pageId: $p, input: $i) { notice { id } } }',
      v => ({ i: { subject: 'x', shouldPublish: false, tagList: [v] } }),
    ],
    [
      'component ids',
      'mutation($p: ID!, $i: OpenIncidentInput!) { openIncident(pageId: $p, input: $i) { notice { id } } }',
      v => ({ i: { subject: 'x', shouldPublish: false, componentIds: [v] } }),
    ],
    [
      'a moment',
      'mutation($p: ID!, $i: OpenIncidentInput!) { openIncident(pageId: $p, input: $i) { notice { id } } }',
      v => ({ i: { subject: 'x', shouldPublish: false, beganAt: v } }),
    ],
    ...['email', 'phoneNumber', 'firstName', 'lastName', 'nickname', 'company'].map(
      (field): (typeof places)[number] => [
        `${field} of a subscriber`,
        'mutation($p: ID!, $i: CreateSubscriberInput!) { createSubscriber(pageId: $p, input: $i) { subscriber { id } } }',
        v => ({ i: { email: 'x@example.org', [field]: v } }),
      ],
    ),
    [
      'parentId',
      'mutation($p: ID!, $i: CreateComponentInput!) { createComponent(pageId: $p, input: $i) { component { id } } }',
      v => ({ i: { name: 'x', parentId: v } }),
    ],
    [
      'a colour',
      'mutation($p: ID!, $v: String) { updateBrand(pageId: $p, input: { colorBodyText: $v }) { page { id } } }',
      v => ({ v }),
    ],
    [
      'a domain',
      'mutation($p: ID!, $v: String!) { setCustomDomain(pageId: $p, input: { domain: $v }) { page { id } } }',
      v => ({ v }),
    ],
    [
      'a file',
      'mutation($p: ID!, $v: Bytes!) { setTheme(pageId: $p, input: { zip: $v }) { page { id } } }',
      v => ({ v }),
    ],
  ];

  test.each(places)('are refused in %s without an internal error', async (_, query, variables) => {
    for (const value of odd) {
      const { status, json } = await service.graphql(query, { p: records.page, ...variables(value) });
      expect(status).toBe(200);
      expect(json.errors?.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual([
        expect.stringMatching(/^(BAD_REQUEST|BAD_USER_INPUT|NOT_FOUND|INVALID)$/),
      ]);
    }
  });
});
