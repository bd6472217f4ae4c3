import { expect, test } from '@jest/globals';
import { ownBody } from '../../support/alert-payloads.js';
import { createPublishingPage } from '../../support/ledger.js';
import { useService } from '../../support/service.js';

const service = useService();

test('A draft of alerts that is added to an open notice is its update, and all groups have to end before it does', async () => {
  const page = await createPublishingPage(service, {}, []);
  const ask = async (query: string, variables: object = {}) => {
    const { json } = await service.graphql(query, { page: page.id, ...variables });
    expect(json.errors).toBeUndefined();
    return json.data;
  };
  const componentIds = [String(await page.component('Checkout'))];
  const { createAlertSource } = await ask(
    `mutation ($page: ID!, $rules: [AlertRuleInput!]) {
       createAlertSource(pageId: $page, input: { name: "Monitor", rules: $rules }) { hookUrl } }`,
    { rules: [{ componentIds, shouldResolve: true }] },
  );
  const send = async (group: string, isFiring = true) => {
    const { alerts } = ownBody(isFiring);
    const body = { alerts: alerts.map(alert => ({ ...alert, group, fingerprint: group })) };
    return (await service.post(new URL(createAlertSource.hookUrl).pathname, body, { token: null })).text.trim();
  };
  const readDrafts = async () =>
    (await ask('query ($page: ID!) { drafts(pageId: $page) { nodes { id verb } } }')).drafts.nodes;
  const publish = async () => {
    const [draft] = await readDrafts();
    const { publishDraft } = await ask(
      `mutation ($page: ID!, $id: ID!) { publishDraft(pageId: $page, id: $id, input: { shouldPublish: false }) {
         notice { id updates { totalCount } } userErrors { message } } }`,
      draft,
    );
    expect(publishDraft.userErrors).toEqual([]);
    return publishDraft.notice;
  };
  await send('payments');
  const { id: noticeId } = await publish();
  await send('basket');
  const [draft] = await readDrafts();
  const { previewDraft } = await ask(
    `query ($page: ID!, $id: ID!) { previewDraft(pageId: $page, id: $id) { overlappingNotices { id subject } } }`,
    draft,
  );
  expect(previewDraft.overlappingNotices).toEqual([{ id: noticeId, subject: 'The shop does not answer' }]);
  const { saveDraft } = await ask(
    `mutation ($page: ID!, $id: ID!, $noticeId: ID!) { saveDraft(pageId: $page, id: $id, noticeId: $noticeId,
       input: { updateNotice: { content: "The basket, too.", shouldPublish: false } }) { userErrors { message } } }`,
    { ...draft, noticeId },
  );
  expect(saveDraft.userErrors).toEqual([]);
  expect(await publish()).toEqual({ id: noticeId, updates: { totalCount: 2 } });
  expect(await send('payments', false)).toBe('alerts: 1');
  expect(await send('payments')).toBe('alerts: 1');
  expect(await send('basket', false)).toBe('alerts: 1');
  expect(await readDrafts()).toEqual([]);
  expect(await send('payments', false)).toBe('alerts: 1, published: 1');
  const { notice } = await ask('query ($id: ID!) { notice(id: $id) { state } }', { id: noticeId });
  expect(notice.state).toBe('RESOLVED');
});
