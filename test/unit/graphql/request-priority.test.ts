import { expect, test } from '@jest/globals';
import type { Caller } from '../../../src/auth/access.js';
import { grantEverywhere, type Role } from '../../../src/auth/roles.js';
import { createPrioritizer } from '../../../src/graphql/request-priority.js';
import { restSchema } from '../../../src/schema.js';

const callerWith = (role: Role): Caller => ({ kind: 'token', key: '1', grants: grantEverywhere(role) });
const anonymous: Caller = { kind: 'anonymous', reads: 'public' };
const prioritize = createPrioritizer(restSchema);
const prioritizeWrite = (query: unknown, caller = callerWith('owner'), operationName?: string) =>
  prioritize(caller, query, operationName);

test.each([
  'mutation { openIncident(pageId: 1, input: {}) { notice { id } } }',
  'mutation { publishDraft(id: 1) { record: notice { id } } }',
  'mutation { renamed: notifyCorrection(id: 1) { update: noticeUpdate { id } } }',
  'mutation { ... on Mutation { deleteNotice(id: 1) { deletedId } } }',
  'mutation { ...Both } fragment Both on Mutation { updatePage(id: 1) { page { id } } deleteNotice(id: 1) { deletedId } }',
])('%s is urgent', query => {
  expect(prioritizeWrite(query)).toBe('noticeWrite');
});

test.each([
  'mutation { createComponent(pageId: 1, input: { name: "openIncident" }) { component { id } } }',
  'mutation Notice { noticeOfPage: updatePage(id: 1) { page { notices { nodes { id } } } } }',
  'mutation { saveDraft(pageId: 1, input: {}) { draft { id } } }',
])('%s is not urgent', query => {
  expect(prioritizeWrite(query)).toBe('write');
});

test.each([
  'mutation { testWebhook(id: 1) { response } }',
  'mutation { updatePage(id: 1) { page { id } } setBrandImages(pageId: 1, input: {}) { brand { pageId } } }',
  'mutation { importSubscribers(pageId: 1, input: {}) { created } }',
  '{ previewAppearance(pageId: 1, input: {}) { html } }',
  '{ page(id: 1) { reports: monthReports { month } } }',
  '{ viewer { ...All } } fragment All on Page { monthReportsCsv subscribersCsv }',
  'mutation { deleteNotice(id: 1) { page { monthReports { month } } } }',
  'query mutation { ...Preview } fragment Preview on Query { previewAppearance(pageId: 1, input: {}) { html } }',
])('%s takes seconds', query => {
  expect(prioritizeWrite(query)).toBe('slow');
});

test('what takes seconds does so for viewers, too, unless a name is a text alone', () => {
  const viewer = callerWith('viewer');
  expect(prioritizeWrite('{ page(id: 1) { monthReports { month } } }', viewer)).toBe('slow');
  expect(prioritizeWrite('{ page(id: "monthReports") { name } }', viewer)).toBe('list');
});

test('what takes seconds does so beside a write of a notice', () => {
  const query = 'mutation { testWebhook(id: 1) { response } openIncident(pageId: 1, input: {}) { notice { id } } }';
  expect(prioritizeWrite(query)).toBe('slow');
});

test('to stop a publication is urgent, and takes seconds', () => {
  expect(prioritizeWrite('mutation { stopPublication(id: 1) { publication { id } } }')).toBe('slowNoticeWrite');
});

test('the operation that is run counts alone', () => {
  const mutation = 'mutation B { openIncident(pageId: 1, input: {}) { notice { id } } }';
  const query = `query A { notices(pageId: 1) { nodes { id } } } ${mutation}`;
  expect(prioritizeWrite(query, undefined, 'A')).toBe('list');
  expect(prioritizeWrite(query, undefined, 'B')).toBe('noticeWrite');
  const slow = 'query D { page(id: 1) { monthReports { month } } }';
  expect(prioritizeWrite(`${query} ${slow}`, undefined, 'A')).toBe('list');
  expect(prioritizeWrite(`${query} ${slow}`, undefined, 'D')).toBe('slow');
  const fragment = 'fragment C on Mutation { openIncident(pageId: 1, input: {}) { notice { id } } }';
  expect(prioritizeWrite(`query { notices(pageId: 1) { nodes { id } } } ${fragment}`)).toBe('list');
});

test('to sign in is a class of its own, which no query without a token has', () => {
  const signIn = 'mutation B { requestSignInCode(input: { email: "a@example.com" }) { email } }';
  expect(prioritizeWrite(signIn, anonymous)).toBe('signIn');
  expect(prioritizeWrite(`query A { pages { nodes { id } } } ${signIn}`, anonymous, 'A')).toBe('anonymousQuery');
});

test.each([
  '{ page(id: "previewAppearance") { id } }',
  '{ notices(pageId: 1) { nodes { id } } }',
  '{ mutation: page(id: 1) { id } }',
  'mutation {',
  undefined,
])('%s is a query, or is refused before it is run', query => {
  expect(prioritizeWrite(query)).toBe('list');
});

test('a caller who cannot write gets the class of a query', () => {
  const query = 'mutation { openIncident(pageId: 1, input: {}) { notice { id } } }';
  expect(prioritizeWrite(query, callerWith('viewer'))).toBe('list');
});
