import { expect, test } from '@jest/globals';
import { advanceDueNotices, publishDueReminders } from '../../../../src/notices/automation/notice.automation.js';
import { remindOfDueUpdates } from '../../../../src/notices/next-update/deadline.automation.js';
import {
  createSuspensionMails,
  createWebhookSuspensionMails,
} from '../../../../src/notifications/delivery/suspension-report.js';
import { sendOperatorMails } from '../../../../src/notifications/operator-mail/operator-mail.js';
import { createAccessRecords } from '../../../support/access-records.js';
import { importFrom, useArchives } from '../../../support/archives.js';
import { createAutomatedPage } from '../../../support/automated-notices.js';
import { createSubscriber } from '../../../support/factories.js';
import { useOwnService } from '../../../support/service.js';
import { rememberKeys } from '../../../support/remember-keys.js';

const service = useOwnService();
const archives = useArchives();
rememberKeys();
const hour = 3_600_000;

test('what was due before an import happens without messages, and what is due later as it would have', async () => {
  const { path, create, moveWindow } = await createAutomatedPage(service);
  await createSubscriber(service, path);
  for (const begins of [-5, 2, 30]) {
    const id = await create({ should_publish: true });
    await moveWindow(id, begins * hour, (begins + 1) * hour);
  }
  await service.database.query(
    `with reminded as (
       update notice set reminder = 'one_day', last_update_at = last_update_at - interval '1 day'
     )
     insert into next_update_deadline (page_id, notice_id, made_by, due_at)
     select page_id, min(id), 'x', clock_timestamp() - interval '1 hour' from notice group by page_id`,
  );
  const target = await archives.openEmpty();
  await importFrom(target, await archives.write(service.database));
  expect(await target.query('select stale_reminders as reminders from notice order by id')).toEqual([
    { reminders: 2 },
    { reminders: 0 },
    { reminders: 0 },
  ]);
  expect(await advanceDueNotices(target)).toBe(1);
  expect(await publishDueReminders(target)).toBe(0);
  expect(await remindOfDueUpdates(target)).toBe(0);
  expect(await target.query('select 1 from publication')).toEqual([]);
  expect(await target.query('select state, reminder, begin_armed from notice order by id')).toEqual([
    { state: 'complete', reminder: 'one_day', begin_armed: false },
    { state: 'scheduled', reminder: 'none', begin_armed: true },
    { state: 'scheduled', reminder: 'one_day', begin_armed: true },
  ]);
  await target.query(
    `update notice set begins_at = begins_at - interval '10 hours' where id = (select max(id) from notice)`,
  );
  expect(await publishDueReminders(target)).toBe(1);
});

test('the end of a maintenance that began before an import is announced', async () => {
  const { path, create, moveWindow } = await createAutomatedPage(service);
  await createSubscriber(service, path);
  await moveWindow(await create({ should_publish: true }), -hour, hour);
  const target = await archives.openEmpty();
  await importFrom(target, await archives.write(service.database, [path.split('/').at(-1)!]));
  expect(await advanceDueNotices(target)).toBe(1);
  expect(await target.query('select state from notice')).toEqual([{ state: 'underway' }]);
  expect(await target.query('select event from publication')).toEqual([]);
  await target.query(
    `update notice set silent_until = silent_until - interval '1 hour', ends_at = clock_timestamp() - interval '1 minute'`,
  );
  expect(await advanceDueNotices(target)).toBe(1);
  expect(await target.query('select state from notice')).toEqual([{ state: 'complete' }]);
  expect(await target.query('select event from publication')).toEqual([{ event: 'completed' }]);
});

test('suspensions that the origin has not reported yet are not reported after an import', async () => {
  const { page_id } = await createAccessRecords(service);
  const target = await archives.openEmpty();
  const secrets = { passphrase: 'correct horse battery staple', settings: service.settings };
  await importFrom(target, await archives.write(service.database, [page_id], { secrets }), { secrets });
  const [count] = await target.query<{ n: number }>('select count(*)::integer as n from recipient_refusals');
  expect(count!.n).toBeGreaterThan(1);
  const fail = () => Promise.reject(new Error('A mail is sent.'));
  const kinds = [
    createSuspensionMails(target, 'operator@acme.example', 'https://console.example'),
    createWebhookSuspensionMails(target, fail),
  ];
  for (const mails of kinds) expect(await sendOperatorMails(target, mails, fail)).toBe(0);
});

test('an occurrence that was due before an import becomes a notice, and nobody is notified', async () => {
  const { path } = await createAutomatedPage(service);
  await createSubscriber(service, path);
  await service.database.query(
    `insert into recurrence (created_at, updated_at, page_id, rule, timezone, begins_at, ends_at, subject, should_publish,
       next_at, due_at)
     select now(), now(), $1, 'FREQ=DAILY;COUNT=2', 'UTC', starts, starts + interval '1 hour', 'Patches', true,
       starts, now() - interval '1 minute'
     from (select date_trunc('second', now() + interval '2 hours') as starts) s`,
    [path.split('/').at(-1)],
  );
  const target = await archives.openEmpty();
  await importFrom(target, await archives.write(service.database, [path.split('/').at(-1)!]));
  expect(await target.query(`select subject, state, last_should_publish from notice`)).toEqual([
    { subject: 'Patches', state: 'scheduled', last_should_publish: false },
    { subject: 'Patches', state: 'scheduled', last_should_publish: false },
  ]);
  expect(await target.query('select next_at from recurrence')).toEqual([{ next_at: null }]);
  expect(await publishDueReminders(target)).toBe(0);
  expect(await target.query('select 1 from publication')).toEqual([]);
});
