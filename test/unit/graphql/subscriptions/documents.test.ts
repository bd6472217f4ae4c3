import { expect, test } from '@jest/globals';
import { parse } from 'graphql';
import type { ApiDependencies } from '../../../../src/graphql/context.js';
import { prepareWithVariables } from '../../../../src/graphql/fast-path.js';
import { SubscriptionDocuments } from '../../../../src/graphql/subscriptions/documents.js';
import { prepareSubscription } from '../../../../src/graphql/subscriptions/open-subscription.js';
import { schema } from '../../../../src/schema.js';
import { collectGarbage } from '../../../support/collect-garbage.js';

const sourceOf = (name: string) => `subscription ${name} { pageChanged(pageId: "2017f84a") { cursor } }`;
const toDocument = (source: string) => ({ source, operationName: undefined, variables: '{}' });

/** As the endpoint does. Returns what the stream keeps, and a weak reference to what it was read from. */
function openStream(documents: SubscriptionDocuments) {
  const source = sourceOf('First');
  const parsed = parse(source);
  const operation = parsed.definitions.find(node => node.kind === 'OperationDefinition')!;
  const { prepared, variables } = prepareWithVariables(schema, parsed, operation, {});
  const accepted = { prepared, variables: variables!, document: toDocument(source) };
  const api = {} as ApiDependencies;
  const subscription = prepareSubscription(api, { kind: 'anonymous', reads: 'public' }, documents, accepted, () => []);
  return { subscription, parsed: new WeakRef(operation) };
}

test('an open subscription keeps the text of its document, and not the parsed one', async () => {
  const { subscription, parsed } = openStream(new SubscriptionDocuments(schema));
  await collectGarbage();
  expect(parsed.deref()).toBeUndefined();
  expect(subscription.args).toMatchObject({ pageId: '2017f84a' });
});

test('the documents that were read last stay parsed, as many as take 16 MB', () => {
  const documents = new SubscriptionDocuments(schema);
  const prepare = (name: string) => documents.prepare(toDocument(`${sourceOf(name)}#${'x'.repeat(9_900)}`));
  const first = prepare('First');
  expect(prepare('First')).toBe(first);
  for (const index of Array.from({ length: 6 }).keys()) prepare(`Other${index}`);
  expect(prepare('First')).not.toBe(first);
});
