import { expect, test } from '@jest/globals';
import type { Caller } from '../../../src/auth/access.js';
import { grantEverywhere, type Role } from '../../../src/auth/roles.js';
import { prioritize } from '../../../src/graphql/request-priority.js';
import { restSchema } from '../../../src/schema.js';

const callerWith = (role: Role): Caller => ({ kind: 'token', key: '1', grants: grantEverywhere(role) });
const prioritizeWrite = (query: unknown, caller = callerWith('owner')) => prioritize(restSchema, caller, query);

test.each([
  'mutation { openIncident(pageId: 1, input: {}) { notice { id } } }',
  'mutation { stopPublication(id: 1) { publication { id } } }',
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
  'query mutation { ...Preview } fragment Preview on Query { previewAppearance(pageId: 1, input: {}) { html } }',
])('%s takes seconds', query => {
  expect(prioritizeWrite(query)).toBe('slow');
});

test('what takes seconds is not urgent beside a write of a notice either', () => {
  const query = 'mutation { testWebhook(id: 1) { response } openIncident(pageId: 1, input: {}) { notice { id } } }';
  expect(prioritizeWrite(query)).toBe('slow');
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

test('a caller who cannot write gets the class of a query, and one without a token its own', () => {
  const query = 'mutation { openIncident(pageId: 1, input: {}) { notice { id } } }';
  expect(prioritizeWrite(query, callerWith('viewer'))).toBe('list');
  expect(prioritizeWrite(query, { kind: 'anonymous', reads: 'public' })).toBe('anonymousQuery');
});
