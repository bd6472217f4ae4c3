import { createComponent, deleteComponent } from '../../components/component.service.js';
import { Refusal } from '../../core/errors.js';
import { query } from '../../db/prepared-statements.js';
import { createNotice, deleteNotice, updateNotice } from '../notice.service.js';
import { createNoticeTemplate, deleteNoticeTemplate } from '../templates/template.service.js';
import { createNoticeUpdate } from '../updates/update.service.js';
import { Page } from '../../pages/page.entity.js';
import type { Writer } from '../../records/writer.js';
import { type DemoComponent, type DemoNotice, demoComponents, demoNotices, demoTemplates } from './demo-data.js';

type DemoRecordKind = 'component' | 'notice' | 'template';

/**
 * Adds components, notices and templates to a page, by the services that clients use, all of them or none. Nobody is
 * notified: nothing is published, no maintenance begins by itself, and none has a reminder.
 */
export async function createDemoData(write: Writer, pageId: string, now: number): Promise<void> {
  await write.together(async inner => {
    if ((await findDemoRecords(inner, pageId)).length)
      throw new Refusal('CONFLICT', 'This page has demonstration data. Delete that first.');
    const components = new Map<string, string>();
    await addComponents(inner, pageId, demoComponents, undefined, components);
    const toIds = (names: string[] = []) => names.map(name => components.get(name)!);
    for (const notice of demoNotices(now)) await addNotice(inner, pageId, notice, toIds(notice.components), now);
    for (const { component, ...template } of demoTemplates) {
      const componentIds = component ? toIds([component]) : [];
      await remember(
        inner,
        pageId,
        'template',
        await createNoticeTemplate(inner, pageId, { ...template, componentIds }),
      );
    }
  });
}

/** Deletes exactly what `createDemoData` created, and what belongs to it, such as the updates of its notices. */
export async function deleteDemoData(write: Writer, pageId: string): Promise<void> {
  await write.together(async inner => {
    const records = await findDemoRecords(inner, pageId);
    for (const { kind, record_id } of records) await deleters[kind](inner, pageId, record_id);
    await inner.transaction(async unit => {
      await unit.find<Page>([[Page, pageId]]);
      await query(unit.em, 'delete from demo_record where page_id = $1', [pageId]);
    });
  });
}

/** Notices first, and components from the leaves to the roots: their ids are in the order of their creation. */
const deleters: Record<DemoRecordKind, (write: Writer, pageId: string, id: string) => Promise<unknown>> = {
  notice: deleteNotice,
  template: deleteNoticeTemplate,
  component: deleteComponent,
};

/** Those that still exist, in the order in which they can be deleted. */
const findDemoRecords = (write: Writer, pageId: string) =>
  write.transaction(async unit => {
    await unit.find<Page>([[Page, pageId]]);
    return query<{ kind: DemoRecordKind; record_id: string }>(
      unit.em,
      `select kind, record_id from demo_record d where page_id = $1 and case kind
          when 'component' then exists (select 1 from component where id::text = d.record_id)
          when 'notice' then exists (select 1 from notice where id::text = d.record_id)
          else exists (select 1 from notice_template where id = d.record_id) end
        order by kind <> 'notice', kind, length(record_id) desc, record_id desc`,
      [pageId],
    );
  });

const remember = (write: Writer, pageId: string, kind: DemoRecordKind, id: string | number) =>
  write.transaction(unit =>
    query(unit.em, 'insert into demo_record (page_id, kind, record_id) values ($1, $2, $3)', [
      pageId,
      kind,
      String(id),
    ]),
  );

async function addComponents(
  write: Writer,
  pageId: string,
  list: DemoComponent[],
  parentId: string | undefined,
  ids: Map<string, string>,
): Promise<void> {
  for (const { name, description, parts } of list) {
    const id = String((await createComponent(write, pageId, { name, description, parentId })).recordId);
    await remember(write, pageId, 'component', id);
    ids.set(name, id);
    if (parts) await addComponents(write, pageId, parts, id, ids);
  }
}

async function addNotice(
  write: Writer,
  pageId: string,
  { updates, minutesAgo, state, beganAt, endedAt, ...notice }: DemoNotice,
  componentIds: string[],
  now: number,
): Promise<void> {
  const [first, ...later] = updates;
  const last = later.pop();
  const values = { ...notice, ...(notice.type === 'planned' && { reminder: 'none' }), componentIds };
  const { recordId } = await createNotice(write, pageId, { ...values, content: first?.text, shouldPublish: false });
  const id = String(recordId);
  for (const { text } of later) await createNoticeUpdate(write, pageId, id, { content: text, shouldPublish: false });
  if (state || last)
    await updateNotice(write, pageId, id, null, { state, beganAt, endedAt, content: last?.text, shouldPublish: false });
  await remember(write, pageId, 'notice', id);
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
  await backdate(
    write,
    id,
    at(minutesAgo),
    updates.map(update => at(update.minutesAgo)),
  );
}

/** Sets the timestamps of a notice in the past, in the database: no service can write them. */
const backdate = (write: Writer, id: string, createdAt: string, updates: string[]) =>
  write.transaction(async ({ em }) => {
    await query(
      em,
      `update notice set created_at = $2, updated_at = $3,
         began_at = case when type = 'general' then $2 else began_at end,
         ended_at = case when type = 'general' then $2 else ended_at end
       where id = $1`,
      [id, createdAt, updates.at(-1) ?? createdAt],
    );
    await query(
      em,
      `update notice_update set created_at = given.at, updated_at = given.at
       from (select id, ($2::timestamptz[])[row_number() over (order by id)] as at
               from notice_update where notice_id = $1) given
       where notice_update.id = given.id`,
      [id, updates],
    );
  });
