import { expect, test } from '@jest/globals';
import {
  type OperatorMails,
  type SendMail,
  sendOperatorMails,
} from '../../../src/notifications/operator-mail/operator-mail.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();
const sent: string[] = [];
const send: SendMail = async ({ subject }) => void sent.push(subject);
const mails = (plan: OperatorMails['plan']): OperatorMails => ({
  kind: 'suspension',
  plan,
  describe: async pageId => ({
    people: [],
    other: 'operator@acme.example',
    compose: to => ({ to, subject: pageId, text: '', html: '', from: '' }) as never,
  }),
});
const queue = (pageId: string, count: number) =>
  service.database.query(
    `insert into operator_mail (kind, page_id, record_key, due_at)
     select 'suspension', $1, i::text, now() - interval '1 minute' from generate_series(1, $2::integer) i`,
    [pageId, count],
  );

test('mails to operators are sent in turns of pages, also what is planned while hundreds are sent', async () => {
  const [busy, other] = [(await createPage(service)).id, (await createPage(service)).id];
  let rounds = 0;
  const plan = async () => {
    rounds += 1;
    if (rounds === 1) await queue(busy, 200);
    if (rounds === 3) await queue(other, 1);
  };
  expect(await sendOperatorMails(service.database, mails(plan), send)).toBe(201);
  // Two takes of 20 mails, and the first turn of the third.
  expect(sent.indexOf(other)).toBeGreaterThanOrEqual(40);
  expect(sent.indexOf(other)).toBeLessThan(60);
  expect(await service.database.query('select from operator_mail')).toEqual([]);
});
