import { describe, expect, test } from '@jest/globals';
import { buildSchema, type GraphQLInputObjectType, isInputObjectType } from 'graphql';
import { isGraphqlOnly } from '../../../src/graphql/one-interface.js';
import { createInputReader } from '../../../src/rest/input.js';
import { prepareRoute } from '../../../src/rest/operation.js';
import { routes } from '../../../src/rest/routes.js';
import { restSchema as schema } from '../../../src/schema.js';

const inputs = buildSchema(`
  directive @graphqlOnly on INPUT_FIELD_DEFINITION
  input Marked { kinds: String @graphqlOnly, name: String }
  input Unmarked { kinds: String, name: String }
`);
const createReader = (name: string) => createInputReader(inputs.getType(name) as GraphQLInputObjectType);

describe('a field that only GraphQL has', () => {
  const parameters = { kinds: 'planned', name: 'Ada' };

  test('is ignored by /v1', () => {
    const reader = createReader('Marked');
    expect(reader.names).toEqual(['name']);
    expect(reader.read(parameters)).toEqual({ input: { name: 'Ada' }, refused: {} });
  });

  test('does not affect a field of that name in another input', () => {
    const reader = createReader('Unmarked');
    expect(reader.names).toEqual(['kinds', 'name']);
    expect(reader.read(parameters)).toEqual({ input: parameters, refused: {} });
  });

  test('is marked where the inputs of /v1 declare it, also for inputs that inherit it', () => {
    const types = new Set(routes.map(route => prepareRoute(schema, route, routes).input?.type));
    const marked = [...types].filter(isInputObjectType).flatMap(type =>
      Object.values(type.getFields())
        .filter(isGraphqlOnly)
        .map(({ name }) => `${type.name}.${name}`),
    );
    expect(marked.toSorted()).toEqual([
      'CreateComponentInput.childIds',
      'CreateComponentInput.metadata',
      'CreatePageInput.holdSeconds',
      'CreatePageInput.privacyUrl',
      'CreatePageInput.reminder',
      'CreatePageInput.shouldSendMonthlyReport',
      'CreatePageInput.shouldSendNotificationsByDiscord',
      'CreatePageInput.shouldSendNotificationsByPush',
      'CreatePageInput.shouldSendNotificationsByWebhook',
      'CreatePageInput.shouldShowResponseStatistics',
      'CreatePageInput.shouldShowUptime',
      'CreatePageInput.staleAfterMinutes',
      'CreatePageInput.termsUrl',
      'CreatePageInput.websiteUrl',
      'CreateSubscriberInput.kinds',
      'UpdateComponentInput.childIds',
      'UpdateComponentInput.metadata',
      'UpdatePageInput.holdSeconds',
      'UpdatePageInput.privacyUrl',
      'UpdatePageInput.reminder',
      'UpdatePageInput.shouldSendMonthlyReport',
      'UpdatePageInput.shouldSendNotificationsByDiscord',
      'UpdatePageInput.shouldSendNotificationsByPush',
      'UpdatePageInput.shouldSendNotificationsByWebhook',
      'UpdatePageInput.shouldShowResponseStatistics',
      'UpdatePageInput.shouldShowUptime',
      'UpdatePageInput.staleAfterMinutes',
      'UpdatePageInput.termsUrl',
      'UpdatePageInput.websiteUrl',
      'UpdateSubscriberInput.kinds',
    ]);
  });
});
