import { z } from 'zod';
import { ComponentReader } from '../component-reader.js';
import { id, optionalText, UnusableRow } from '../convert-rows.js';
import type { ImportedPage, ImportedSubscriber, LeftOut } from '../imported-page.js';
import { lookUp } from '../look-up.js';
import { openSqlite } from '../read-sqlite.js';
import { readRows } from '../read-rows.js';
import { readMaintenance } from './kener-maintenance.js';
import { type KenerPage, readIncidents, type Row, stored, tables } from './kener-notices.js';
import { type Answers, choosePage, listRows, parseRows, type ReadOptions, type Source } from '../source.js';

/** Versions 3 and 4, from their SQLite database. Version 3 has one page, of all monitors. */
export const kener: Source = {
  label: 'Kener',
  files: tables,
  open: openSqlite({ label: 'Kener', file: 'kener.sqlite.db', tables, required: 'monitors' }),
  isDatabase: true,
  read,
};

const pageShape = z.object({
  id: z.int(),
  page_path: z.string(),
  page_title: z.string(),
  page_subheader: optionalText,
  page_is_internal: z.union([z.int(), z.boolean()]).nullish(),
});
const monitorShape = z.object({
  id,
  tag: z.string(),
  name: z.string(),
  description: optionalText,
  category_name: optionalText,
  group: z.string().nullable(),
  position: z.int(),
});

function read(answers: Answers, options: ReadOptions): ImportedPage {
  const leftOut: LeftOut[] = [];
  const list = (table: (typeof tables)[number]) => listRows(answers, table) as Row[];
  const pages = parseRows(list('pages'), pageShape);
  // Older versions have no pages.
  const page = pages.length ? choosePage(pages, ({ page_path }) => page_path, options) : null;
  const ofPage = page && list('pages_monitors').filter(({ page_id }) => page_id === page.id);
  const members = new Map(ofPage?.map(row => [row.monitor_tag, row]));
  const isMember = ({ tag, status }: Row) => status !== 'INACTIVE' && (!ofPage || members.has(tag));
  const monitors = list('monitors').filter(isMember);
  const context: KenerPage = { leftOut, now: options.now, list, tags: new Set(monitors.map(({ tag }) => tag)) };
  const { notices, recurrences } = readMaintenance(context);
  const groups = list('page_access_groups');
  const isPublic = groups.some(row => row.page_id === page?.id && row.access_group_id === 'public');
  const siteName = list('site_data').find(({ key }) => key === 'siteName')?.value;
  return {
    settings: {
      name: page?.page_title ?? (typeof siteName === 'string' ? siteName : null),
      metaDescription: page?.page_subheader,
    },
    components: readComponents(context, monitors, members),
    notices: [...readIncidents(context), ...notices],
    recurrences,
    subscribers: readSubscribers(context),
    leftOut,
    // Older versions have no groups of visitors.
    isPrivate: Boolean(page?.page_is_internal) || (groups.length > 0 && !isPublic),
  };
}

/** Groups are a table, a name at each monitor of a page, or the category of a monitor, by the version. */
function readComponents({ leftOut, list }: KenerPage, monitors: readonly Row[], members: ReadonlyMap<unknown, Row>) {
  const groupNames = new Map(list('pages_monitor_groups').map(({ id, name }) => [id, name]));
  const rows = monitors.map((monitor, index) => {
    const member = members.get(monitor.tag);
    const name = groupNames.get(member?.page_monitor_group_id) ?? member?.group_name ?? monitor.category_name;
    const isGroup = typeof name === 'string' && name.trim() !== '' && name !== 'Home';
    return { ...monitor, group: isGroup ? name : null, position: Number(member?.position ?? index) };
  });
  const groups = [...new Set(rows.flatMap(({ group }) => group ?? []))];
  return new ComponentReader(leftOut)
    .add({
      prefix: 'group ',
      rows: groups.map((name, position) => ({ id: name, name, position })),
      shape: z.object({ id, name: z.string(), position: z.int() }),
      convert: ({ name, position }) => ({ name, position }),
    })
    .add({
      rows: rows.map(row => ({ ...row, id: (row as Row).tag })),
      shape: monitorShape,
      convert: ({ name, description, group, position }) => ({
        name,
        description: description?.trim() || null,
        position,
        parentId: group === null ? null : `group ${group}`,
      }),
    })
    .list();
}

const kindsByEvent: Record<string, string> = { incidents: 'unplanned', maintenances: 'planned' };

/** People by mail, with what they chose. The other methods lead to chats and programs. */
function readSubscribers({ list, leftOut, tags }: KenerPage): ImportedSubscriber[] {
  const users = new Map(list('subscriber_users').map(row => [row.id, row]));
  const choices = Map.groupBy(
    list('user_subscriptions_v2').filter(({ status }) => status === 'ACTIVE'),
    ({ subscriber_method_id }) => subscriber_method_id,
  );
  const rows = list('subscriber_methods').map(method => ({
    ...method,
    status: method.status === 'ACTIVE' ? users.get(method.subscriber_user_id)?.status : method.status,
  }));
  return readRows('subscriber', leftOut, {
    rows,
    shape: z.object({ id, method_type: z.string(), method_value: z.string(), created_at: stored }),
    convert: ({ id: sourceId, method_type, method_value: email, created_at }) => {
      if (method_type !== 'email') throw new UnusableRow(`has the channel ${method_type}, which cannot be moved`);
      const chosen = choices.get(Number(sourceId)) ?? [];
      const kinds = chosen.flatMap(({ event_type }) => lookUp(kindsByEvent, String(event_type)) ?? []);
      if (!kinds.length) throw new UnusableRow('has subscribed to nothing');
      const named = chosen.map(({ monitor_tags, entity_id }) => readTags(monitor_tags ?? entity_id));
      const components = [...new Set(named.flatMap(list => list ?? []))].filter(tag => tags.has(tag));
      return {
        sourceId,
        email,
        kinds: [...new Set(kinds)].join(','),
        // Who chose monitors for one kind of events alone is sent nothing about others.
        componentIds: named.every(list => list === null) ? null : components,
        consentedAt: created_at ?? null,
      };
    },
  });
}

/** A list in JSON, or separated by commas; null: all monitors. */
function readTags(value: unknown): string[] | null {
  if (typeof value !== 'string' || !value.trim()) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed)) return parsed.length ? parsed.map(String) : null;
  } catch {
    // It is not JSON.
  }
  return value.split(',').map(tag => tag.trim());
}
