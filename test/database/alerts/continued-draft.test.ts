import { expect, test } from '@jest/globals';
import { ownBody } from '../../support/alert-payloads.js';
import { createPublishingPage } from '../../support/ledger.js';
import { useService } from '../../support/service.js';

const service = useService();

test('The end of alerts is proposed for the incident that was written from their draft', async () => {
  const page = await createPublishingPage(service, {}, []);
  const ask = async (query: string, variables: object = {}) => {
    const { json } = await service.graphql(query, { page: page.id, ...variables });
    expect(json.errors).toBeUndefined();
    return json.data;
  };
  const { createAlertSource } = await ask(
    'mutation ($page: ID!) { createAlertSource(pageId: $page, input: { name: "Monitor" }) { hookUrl } }',
  );
  const send = async (isFiring: boolean) =>
    (await service.post(new URL(createAlertSource.hookUrl).pathname, ownBody(isFiring), { token: null })).text.trim();
  const readDrafts = async () =>
    (await ask('query ($page: ID!) { drafts(pageId: $page) { nodes { id verb notice { id } } } }')).drafts.nodes;
  expect(await send(true)).toBe('alerts: 1, drafts: 1');
  const [draft] = await readDrafts();
  const { publishOnPages } = await ask(
    `mutation ($page: ID!, $id: ID!) {
       publishOnPages(input: [{ pageId: $page, draftId: $id, change: { openIncident: {
         subject: "Nobody can pay", content: "We look into it.", shouldPublish: false } } }]) {
         results { notice { id } } userErrors { message } } }`,
    draft,
  );
  expect(publishOnPages.userErrors).toEqual([]);
  const [{ notice }] = publishOnPages.results;
  expect(await readDrafts()).toEqual([]);
  expect(await send(false)).toBe('alerts: 1, drafts: 1');
  expect(await readDrafts()).toEqual([{ id: expect.any(String), verb: 'ADVANCE_NOTICE', notice }]);
});
