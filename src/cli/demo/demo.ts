import { serviceOrigin } from '../../db/audit.js';
import { createComponent } from '../../components/component.service.js';
import { parsePublicUrl } from '../../core/config.js';
import type { Database } from '../../db/connection.js';
import type { CommandContext } from '../command.js';
import { Writer } from '../../records/writer.js';
import { createNotice, updateNotice } from '../../notices/notice.service.js';
import { createNoticeTemplate } from '../../notices/template.service.js';
import { createNoticeUpdate } from '../../notices/update.service.js';
import { createPage } from '../../pages/page.service.js';
import { createSubscriber } from '../../subscribers/subscriber.service.js';
import {
  type DemoComponent,
  demoComponents,
  demoNotices,
  demoPage,
  demoSubscribers,
  demoTemplates,
} from './demo-data.js';

const minuteMs = 60_000;

/** Creates a realistic page through the services that clients use. Returns the text to print. */
export async function createDemo({ database, settings }: CommandContext): Promise<string> {
  const write = new Writer(database, { origin: serviceOrigin('command', 'demo') });
  const page = await createPage(write, demoPage);
  const components = new Map<string, string>();
  await addComponents(write, page, demoComponents, undefined, components);
  // The page looks as if it had existed for a while.
  await database.query(`update component set created_at = created_at - interval '200 days' where page_id = $1`, [page]);
  await database.query(`update page set created_at = created_at - interval '200 days' where id = $1`, [page]);
  const toIds = (names: string[] = []) => names.map(name => components.get(name)!);

  for (const { updates, components: named, minutesAgo, ...notice } of demoNotices(Date.now())) {
    const [first, ...later] = updates;
    const last = later.pop();
    const { recordId: noticeId } = await createNotice(write, page, {
      ...notice,
      state: undefined,
      beganAt: undefined,
      endedAt: undefined,
      content: first?.text,
      componentIds: toIds(named),
    });
    const id = String(noticeId);
    for (const { text } of later) await createNoticeUpdate(write, page, id, { content: text, shouldPublish: true });
    if (notice.state || last)
      await updateNotice(write, page, id, undefined, {
        state: notice.state,
        beganAt: notice.beganAt,
        endedAt: notice.endedAt,
        content: last?.text,
        shouldPublish: true,
      });
    await backdate(
      database,
      id,
      minutesAgo,
      updates.map(update => update.minutesAgo),
    );
  }
  for (const { component, ...template } of demoTemplates)
    await createNoticeTemplate(write, page, { ...template, componentId: component && components.get(component) });
  for (const { components: named, ...subscriber } of demoSubscribers)
    await createSubscriber(write, page, { ...subscriber, componentIds: toIds(named) });
  return `The demonstration page is ${page}: ${parsePublicUrl(settings).origin}/status/${page}/\n`;
}

async function addComponents(
  write: Writer,
  page: string,
  list: DemoComponent[],
  parentId: string | undefined,
  ids: Map<string, string>,
): Promise<void> {
  for (const { name, description, parts } of list) {
    const id = String((await createComponent(write, page, { name, description, parentId })).recordId);
    ids.set(name, id);
    if (parts) await addComponents(write, page, parts, id, ids);
  }
}

/** Sets the timestamps of a notice in the past, directly in the database: no service can write them. */
async function backdate(database: Database, id: string, minutesAgo: number, updates: number[]): Promise<void> {
  const at = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString();
  await database.query('update notice set created_at = $2, updated_at = $3 where id = $1', [
    id,
    at(minutesAgo),
    at(updates.at(-1) ?? minutesAgo),
  ]);
  const rows = await database.query<{ id: number }>('select id from notice_update where notice_id = $1 order by id', [
    id,
  ]);
  for (const [index, row] of rows.entries())
    await database.query('update notice_update set created_at = $2, updated_at = $2 where id = $1', [
      row.id,
      at(updates[index]!),
    ]);
  await database.query(
    `update notice set began_at = created_at, ended_at = created_at where id = $1 and type = 'general'`,
    [id],
  );
}
