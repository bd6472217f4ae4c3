import { expect, test } from '@jest/globals';
import { advanceDueNotices, publishDueReminders } from '../../../src/notices/automation/notice.automation.js';
import { remindOfDueUpdates } from '../../../src/notices/next-update/deadline.automation.js';
import { importFrom, useArchives } from '../../support/archives.js';
import { createAutomatedPage } from '../../support/automated-notices.js';
import { createSubscriber } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();
const archives = useArchives();
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
