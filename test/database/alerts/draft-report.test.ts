import { beforeEach, describe, expect, test } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { createAlertDraftMails } from '../../../src/alerts/draft-report.js';
import { createInputFormat } from '../../../src/notices/drafts/input-format.js';
import { type SendMail, sendOperatorMails } from '../../../src/notifications/operator-mail/operator-mail.js';
import { schema } from '../../../src/schema.js';
import { ownBody } from '../../support/alert-payloads.js';
import { createPublishingPage } from '../../support/ledger.js';
import { askAs, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { withProcessClock } from '../../support/process-clock.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

const service = useOwnService({ ...withChannels, publicUrl: peopleOrigin });
type Mail = Parameters<SendMail>[0];
let mails: Mail[];
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let publisher: SignedInPerson;
let owner: SignedInPerson;
beforeEach(async () => {
  mails = [];
  await service.database.query('delete from alert_source');
  page = await createPublishingPage(service, {}, ['chatA']);
  owner = await signIn(service, 'owner', [page.id]);
  publisher = await signIn(service, 'publisher', [page.id]);
  await signIn(service, 'drafter', [page.id]);
  await page.subscribe('reader@example.com');
});

const report = (send: SendMail = async mail => void mails.push(mail), now?: Date) => {
  const reader = { database: service.database, draftFormat: createInputFormat(schema), consoleOrigin: peopleOrigin };
  return sendOperatorMails(service.database, createAlertDraftMails(reader), send, now);
};
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
async function alert(rules: object[] = []): Promise<void> {
  const { json } = await service.graphql(
    `mutation ($page: ID!, $rules: [AlertRuleInput!]) {
       createAlertSource(pageId: $page, input: { name: "Prometheus", rules: $rules }) { hookUrl } }`,
    { page: page.id, rules },
  );
  await service.post(new URL(json.data.createAlertSource.hookUrl).pathname, ownBody(), { token: null });
}

test('Those who may publish get one mail with exactly the preview, whose link publishes just that', async () => {
  await alert();
  expect(await report()).toBe(2);
  expect(await report()).toBe(0);
  expect(mails.map(({ to }) => to)).toEqual([owner.email, publisher.email].toSorted());
  const [{ subject, text, html }] = mails as [Mail];
  expect(subject).toBe('Publish it? The shop does not answer');
  expect(text).toContain('Prometheus sent an alert, which became a draft. Nothing is published yet.');
  expect(text).toContain('Would be notified: 1 by e-mail and 1 by Slack.');
  const [, draftId, hash] = /\/drafts\/(\d+)\?preview=(\S+)/.exec(text)!;
  const { json } = await service.graphql(
    `query ($page: ID!, $id: ID!) { previewDraft(pageId: $page, id: $id) { hash messages { mail { subject text } } } }`,
    { page: page.id, id: draftId },
  );
  const { hash: expected, messages } = json.data.previewDraft;
  expect(decodeURIComponent(hash!)).toBe(expected);
  // The address of a new notice is made when it is published.
  const withoutLinks = (mail: string) => mail.replaceAll(/https?:\S+|\d\d:\d\d/g, '');
  const [content] = messages.mail.text.split('\n-- \n');
  expect(withoutLinks(text)).toContain(withoutLinks(content.trim().replaceAll(/^/gm, '> ')));
  // The links of a subscriber are not those of an operator; the button and the state come first.
  expect(text).not.toMatch(/unsubscribe|preferences/);
  expect(text).toContain('Investigating\nWould be notified: 1 by e-mail and 1 by Slack.');
  const body = html.slice(html.indexOf('<h1'));
  expect(body.indexOf('Review and publish')).toBeLessThan(body.indexOf('Would be notified'));
  expect(withoutLinks(text)).toContain(messages.mail.subject);
  const { valid } = await new HtmlValidate({
    rules: { 'close-order': 'error', 'void-content': 'error' },
  }).validateString(html);
  expect(valid).toBe(true);
  const published = await askAs(
    service,
    publisher,
    `mutation ($page: ID!, $id: ID!, $hash: String) {
       publishDraft(pageId: $page, id: $id, input: { shouldPublish: true }, previewHash: $hash) { notice { subject } } }`,
    { page: page.id, id: draftId, hash: expected },
  );
  expect(published.data.publishDraft.notice).toEqual({ subject: 'The shop does not answer' });
});

test('A mail that could not be sent is sent later', async () => {
  await alert();
  await expect(report(() => Promise.reject(new Error('The server is down.')))).rejects.toThrow('The server is down.');
  expect(await report()).toBe(0);
  expect(await report(undefined, inMinutes(2))).toBe(2);
});

test('Mails of a process that crashed while it sent are sent by another', async () => {
  await alert();
  const crashed = new Promise<never>(() => {});
  let begun = 0;
  void report(() => {
    begun += 1;
    return crashed;
  });
  await waitUntilEqual(async () => begun, 2);
  expect(await report()).toBe(0);
  expect(await report(undefined, inMinutes(3))).toBe(2);
  expect(mails.map(({ to }) => to)).toEqual([owner.email, publisher.email].toSorted());
  expect(await report(undefined, inMinutes(60))).toBe(0);
});

test('A process whose clock is ahead does not send what another one is sending', async () => {
  await alert();
  const responses: (() => void)[] = [];
  const sending = report(
    mail =>
      new Promise<void>(done => {
        mails.push(mail);
        responses.push(done);
      }),
  );
  await waitUntilEqual(async () => responses.length, 2);
  expect(await withProcessClock(inMinutes(60), () => report())).toBe(0);
  for (const respond of responses) respond();
  expect(await sending).toBe(2);
  expect(mails).toHaveLength(2);
});

test('A draft that cannot be published as it is has the reason in place of the preview', async () => {
  await alert();
  await service.database.query(
    `update draft set change = '{"openIncident":{"shouldPublish":true}}' where page_id = $1`,
    [page.id],
  );
  await report();
  expect(mails[0]!.text).toContain('`subject` must not be blank');
});

test('An alert that is ignored has no mail', async () => {
  await alert([{ action: 'IGNORE' }]);
  expect(await report()).toBe(0);
});

test('The mail names an open notice about the same component', async () => {
  const { json } = await service.graphql(
    `mutation ($page: ID!) { createComponent(pageId: $page, input: { name: "Checkout" }) { component { id } } }`,
    { page: page.id },
  );
  const componentIds = [json.data.createComponent.component.id];
  const opened = await service.graphql(
    `mutation ($page: ID!, $ids: [ID!]!) { openIncident(pageId: $page, input: { subject: "Payments fail",
       componentIds: $ids, shouldPublish: false }) { notice { id } } }`,
    { page: page.id, ids: componentIds },
  );
  await alert([{ componentIds }]);
  await report();
  expect(mails[0]!.text).toContain('Another open notice affects the same components: "Payments fail".');
  const { notice } = opened.json.data.openIncident;
  expect(mails[0]!.text).toContain('Or add it to the open notice “Payments fail” as an update:');
  expect(mails[0]!.text).toMatch(new RegExp(`/console/pages/${page.id}/drafts/\\d+\\?addTo=${notice.id}\n`));
});

describe('A draft that waits is reported again', () => {
  const at = (startsAt: string, isFiring = true) => {
    const { alerts } = ownBody(isFiring);
    return { alerts: alerts.map(one => ({ ...one, startsAt })) };
  };
  const createHook = async () => {
    const { json } = await service.graphql(
      'mutation ($page: ID!) { createAlertSource(pageId: $page, input: { name: "Prometheus" }) { hookUrl } }',
      { page: page.id },
    );
    const path = new URL(json.data.createAlertSource.hookUrl).pathname;
    return (body: object) => service.post(path, body, { token: null });
  };
  const pass = (interval: string) =>
    service.database.query('update alert_group set first_received_at = first_received_at - $1::interval', [interval]);
  const isPushed = async () =>
    (await service.database.query('select 1 from alert_group where pushed_draft_id = latest_draft_id')).length > 0;

  test('when its alert begins again, whether or not its end was received', async () => {
    const send = await createHook();
    await send(at('2026-11-20T09:00:00Z'));
    expect(await report()).toBe(2);
    await service.database.query('update alert_group set pushed_draft_id = latest_draft_id');
    await send(at('2026-11-20T09:00:00Z', false));
    await pass('3 days');
    await send(at('2026-11-23T09:00:00Z'));
    expect([await report(), await isPushed()]).toEqual([2, false]);
    await pass('2 hours');
    // A repetition is none.
    await send(at('2026-11-23T09:00:00Z'));
    expect(await report()).toBe(0);
    await send(at('2026-11-23T11:00:00Z'));
    expect(await report()).toBe(2);
    expect(new Set(mails.map(({ text }) => /\/drafts\/(\d+)/.exec(text)![1])).size).toBe(1);
  });

  test('but not within an hour', async () => {
    const send = await createHook();
    await send(at('2026-11-20T09:00:00Z'));
    await report();
    await send(at('2026-11-20T09:00:00Z', false));
    await send(at('2026-11-20T09:10:00Z'));
    await send(at('2026-11-20T09:20:00Z'));
    expect(await report()).toBe(0);
  });
});
