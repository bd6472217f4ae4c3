import { createComponent } from '../../components/component.service.js';
import { publicAddress } from '../../core/config.js';
import type { Database } from '../../db/connection.js';
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

const minute = 60_000;

/** A believable page, made by the very verbs that a client uses; returns what is printed. */
export async function makeDemo(database: Database): Promise<string> {
  const write = new Writer(database);
  const page = await createPage(write, demoPage);
  const components = new Map<string, string>();
  await addComponents(write, page, demoComponents, undefined, components);
  // It has been there for a while.
  await database.query(`update component set created_at = created_at - interval '200 days' where page_id = $1`, [page]);
  await database.query(`update page set created_at = created_at - interval '200 days' where id = $1`, [page]);
  const idsOf = (names: string[] = []) => names.map(name => components.get(name)!);

  for (const { updates, components: named, minutesAgo, ...notice } of demoNotices(Date.now())) {
    const [first, ...later] = updates;
    const { recordId: noticeId } = await createNotice(write, page, {
      ...notice,
      state: undefined,
      beganAt: undefined,
      endedAt: undefined,
      initialComment: first?.text,
      componentIds: idsOf(named),
    });
    const id = String(noticeId);
    for (const { text } of later) await createNoticeUpdate(write, page, id, { content: text, shouldPublish: true });
    if (notice.state)
      await updateNotice(write, page, id, undefined, {
        state: notice.state,
        beganAt: notice.beganAt,
        endedAt: notice.endedAt,
      });
    await age(
      database,
      id,
      minutesAgo,
      updates.map(update => update.minutesAgo),
    );
  }
  for (const { component, ...template } of demoTemplates)
    await createNoticeTemplate(write, page, { ...template, componentId: component && components.get(component) });
  for (const { components: named, ...subscriber } of demoSubscribers)
    await createSubscriber(write, page, { ...subscriber, componentIds: idsOf(named) });
  return `The demonstration page is ${page}: ${publicAddress().origin}/status/${page}/\n`;
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

/** No verb can write a record's own times: a story that happened is told to the database. */
async function age(database: Database, id: string, minutesAgo: number, updates: number[]): Promise<void> {
  const at = (minutes: number) => new Date(Date.now() - minutes * minute).toISOString();
  await database.query('update notice set created_at = $2, updated_at = $3 where id = $1', [
    id,
    at(minutesAgo),
    at(updates.at(-1) ?? minutesAgo),
  ]);
  const rows = await database.query<{ id: number }>('select id from notice_update where notice_id = $1 order by id', [
    id,
  ]);
  for (const [place, row] of rows.entries())
    await database.query('update notice_update set created_at = $2, updated_at = $2 where id = $1', [
      row.id,
      at(updates[place]!),
    ]);
  await database.query(
    `update notice set began_at = created_at, ended_at = created_at where id = $1 and type = 'general'`,
    [id],
  );
}
