import { beforeEach, expect, test } from '@jest/globals';
import {
  createChannelFailureMails,
  pushChannelFailures,
} from '../../../src/notifications/failures/channel-failure-report.js';
import { raiseFailures } from '../../../src/notifications/failures/channel-failures.js';
import { type SendMail, sendOperatorMails } from '../../../src/notifications/operator-mail/operator-mail.js';
import { createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService(withChannels);
const operator = 'ops@acme.example';
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let told: string[];
const send: SendMail = async ({ to, subject, text }) => {
  expect(text).toContain('550 5.7.1 Relaying denied');
  told.push(`mail to ${to}: ${subject}`);
};
const report = async () => {
  await pushChannelFailures(service.database, operator, async (people, { title }) => {
    told.push(`push to ${people.join(', ')}: ${title}`);
  });
  await sendOperatorMails(
    service.database,
    createChannelFailureMails(service.database, operator, 'https://console.example'),
    send,
  );
  return told.splice(0).toSorted();
};
const raise = async (channel: 'email' | 'sms') => {
  const [publication] = await service.database.query<{ id: number }>(
    'select max(id) as id from publication where page_id = $1',
    [page.id],
  );
  const response = '550 5.7.1 Relaying denied <ada@customer.example>';
  await raiseFailures(service.database, [{ pageId: page.id, channel, publicationId: publication!.id, response }]);
};
beforeEach(async () => {
  told = [];
  await service.database.query('delete from channel_failure');
  page = await createPublishingPage(service, {}, []);
  await page.subscribe('ada@customer.example');
  await page.notice();
  await fanOutAll(service.database);
  await service.database.query('delete from person');
  await service.database.query(
    `with made as (insert into person (email, created_at) values ('own@acme.example', now()) returning id)
     insert into membership (person_id, page_id, role) select id, $1, 'owner' from made`,
    [page.id],
  );
});

test('the operator and the owners hear of it once, with the answer and how many wait', async () => {
  await raise('email');
  const subject = 'E-mail is refused on Meridian: 1 of 1 waiting';
  expect(await report()).toEqual([
    `mail to ${operator}: ${subject}`,
    `mail to own@acme.example: ${subject}`,
    expect.stringMatching(/^push to own@acme\.example, ops@acme\.example: E-mail is refused: 550 5\.7\.1 Relaying/),
  ]);
  await raise('email');
  expect(await report()).toEqual([]);
  // It ends and begins again.
  await service.database.query('update channel_failure set ended_at = now()');
  await raise('email');
  expect(await report()).toEqual([]);
});

test('who has a browser hears of failing mail there, and of failing SMS by mail', async () => {
  await service.database.query(
    `insert into alert_browser (person_id, hash, target, created_at)
     select id, 'x', '{}', now() from person where email = 'own@acme.example'`,
  );
  await raise('email');
  expect((await report()).map(line => line.split(':')[0])).toEqual([
    `mail to ${operator}`,
    'push to own@acme.example, ops@acme.example',
  ]);
  await raise('sms');
  expect((await report()).map(line => line.split(':')[0])).toEqual([
    `mail to ${operator}`,
    'mail to own@acme.example',
    'push to own@acme.example, ops@acme.example',
  ]);
});
