import { beforeEach, expect, test } from '@jest/globals';
import { HtmlValidate } from 'html-validate';
import { createSuspensionMails } from '../../../src/notifications/delivery/suspension-report.js';
import { type SendMail, sendOperatorMails } from '../../../src/notifications/operator-mail/operator-mail.js';
import { createPublishingPage } from '../../support/ledger.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService(withChannels);
const to = 'ops@acme.example';
type Mail = Parameters<SendMail>[0];
let mails: Mail[];
const report = (send: SendMail = async mail => void mails.push(mail), now?: Date) =>
  sendOperatorMails(
    service.database,
    createSuspensionMails(service.database, to, 'https://console.example'),
    send,
    now,
  );
beforeEach(() => {
  mails = [];
});

async function createPage(name: string, suspended: boolean) {
  const page = await createPublishingPage(service, { name });
  const subscriber = await page.subscribe('ada@acme.example');
  await service.database.query(
    `insert into recipient_refusals (page_id, channel, subscriber_id, address, count, response, suspended_at)
     values ($1, 'email', $2, 'ada@acme.example', 3, '550 <no> such user', ${suspended ? 'now()' : 'null'}),
       ($1, 'chatA', null, 'Slack', 3, '404 no_service', ${suspended ? 'now()' : 'null'})`,
    [page.id, subscriber],
  );
  return page;
}

test('the operator gets one mail a page about its suspended recipients, once', async () => {
  const page = await createPage('Meridian', true);
  await createPage('Northwind', true);
  await createPage('Fine', false);
  expect(await report()).toBe(2);
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    '2 recipients are suspended: Meridian',
    '2 recipients are suspended: Northwind',
  ]);
  const mail = mails.find(({ pageName }) => pageName === 'Meridian')!;
  expect(mail.to).toBe(to);
  const url = `https://console.example/console/pages/${page.id}/subscribers?search=ada%40acme.example`;
  for (const part of ['E-mail: ada@acme.example\n550 <no> such user', 'Slack\n404 no_service', url])
    expect(mail.text).toContain(part);
  expect(mail.text).not.toMatch(/mutation|webhook/i);
  // The button comes before what it is about.
  expect(mail.html.indexOf('Open in the console')).toBeLessThan(mail.html.indexOf('550 &lt;no&gt;'));
  expect(mail.html).toContain('550 &lt;no&gt; such user');
  const { valid } = await new HtmlValidate({
    rules: { 'close-order': 'error', 'void-content': 'error' },
  }).validateString(mail.html);
  expect(valid).toBe(true);
  expect(await report()).toBe(0);
});

test('the owners of the page get it, too', async () => {
  const page = await createPage('Meridian', true);
  const other = await createPage('Fine', false);
  const people: [email: string, role: string, pageId: string | null][] = [
    ['own@acme.example', 'owner', page.id],
    ['all@acme.example', 'owner', null],
    ['OPS@acme.example', 'owner', page.id],
    ['gone@acme.example', 'owner', page.id],
    ['publisher@acme.example', 'publisher', page.id],
    ['other@acme.example', 'owner', other.id],
    ['owner@localhost', 'owner', null],
  ];
  for (const [email, role, pageId] of people)
    await service.database.query(
      `with made as (insert into person (email, created_at, disabled_at)
         values ($1, now(), case when $1 like 'gone%' then now() end) returning id)
       insert into membership (person_id, role, page_id) select id, $2, $3 from made`,
      [email, role, pageId],
    );
  expect(await report()).toBe(3);
  const recipients = mails.map(mail => mail.to).toSorted();
  expect(recipients).toEqual(['all@acme.example', 'ops@acme.example', 'own@acme.example']);
  await service.database.query('delete from person');
});

test('a mail that could not be sent is sent later', async () => {
  for (const name of ['Later', 'Sooner']) await createPage(name, true);
  const refuseFirst: SendMail = async mail => {
    if (mail.pageName === 'Later') throw new Error('no mail server');
    mails.push(mail);
  };
  await expect(report(refuseFirst)).rejects.toThrow('no mail server');
  expect(mails.map(({ pageName }) => pageName)).toEqual(['Sooner']);
  expect(await report(undefined, new Date(Date.now() + 120_000))).toBe(1);
  expect(mails.map(({ pageName }) => pageName)).toEqual(['Sooner', 'Later']);
});
