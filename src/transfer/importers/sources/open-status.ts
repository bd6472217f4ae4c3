import { z } from 'zod';
import { ComponentReader } from '../component-reader.js';
import { id, optionalId, optionalText, seconds, UnusableRow } from '../convert-rows.js';
import { isPrivatePage } from '../hidden-records.js';
import type { ImportedPage, ImportedSubscriber, LeftOut } from '../imported-page.js';
import { openSqlite } from '../read-sqlite.js';
import { readRows } from '../read-rows.js';
import { type OpenStatusPage, readMaintenances, readReports, type Row, tables } from './open-status-notices.js';
import { type Answers, choosePage, listRows, parseRows, type ReadOptions, type Source } from '../source.js';

/** Its SQLite database. Components are a table of their own, and in earlier versions the monitors of a page. */
export const openStatus: Source = {
  label: 'OpenStatus',
  files: tables,
  open: openSqlite({ label: 'OpenStatus', file: 'openstatus.db', tables, required: 'page' }),
  isDatabase: true,
  read,
};

const pageShape = z.looseObject({
  id: z.int(),
  slug: z.string(),
  title: z.string(),
  description: optionalText,
  homepage_url: optionalText,
  contact_url: optionalText,
  access_type: optionalText,
});
const componentShape = z.object({
  id,
  name: z.string(),
  description: optionalText,
  order: z.int().nullish(),
  group_id: optionalId,
  created_at: seconds.nullish(),
});
const subscriberShape = z.object({
  id,
  email: optionalText,
  channel_type: optionalText,
  accepted_at: seconds.nullish(),
});

function read(answers: Answers, options: ReadOptions): ImportedPage {
  const leftOut: LeftOut[] = [];
  const find: OpenStatusPage['find'] = (table, column, value) =>
    (listRows(answers, table) as Row[]).filter(row => row[column] === value);
  const page = choosePage(parseRows(listRows(answers, 'page'), pageShape), ({ slug }) => slug, options);
  const components = listComponents(find, page.id);
  const byMonitor = new Map(components.map(({ monitor_id, id: componentId }) => [monitor_id, componentId]));
  const ids = new Set(components.map(({ id: componentId }) => componentId));
  const context: OpenStatusPage = {
    leftOut,
    now: options.now,
    find,
    pageId: page.id,
    listComponents: (table, recordId) => {
      const named = find(`${table}_to_page_component`, `${table}_id`, recordId).map(row => row.page_component_id);
      const older = find(
        table === 'maintenance' ? 'maintenance_to_monitor' : 'status_report_to_monitors',
        `${table}_id`,
        recordId,
      );
      const all = [...named, ...older.map(row => byMonitor.get(row.monitor_id))];
      return [...new Set(all)].filter(one => ids.has(one)).map(String);
    },
  };
  const { title, description, homepage_url, contact_url, access_type } = page;
  return {
    settings: {
      name: title,
      metaDescription: description,
      websiteUrl: homepage_url || null,
      supportUrl: contact_url?.startsWith('mailto:') ? null : contact_url || null,
      supportEmail: contact_url?.startsWith('mailto:') ? contact_url.slice('mailto:'.length) : null,
    },
    components: new ComponentReader(leftOut)
      .add({
        prefix: 'group ',
        rows: [...find('page_groups', 'page_id', page.id), ...find('page_component_groups', 'page_id', page.id)],
        shape: z.object({ id, name: z.string(), order: z.int().nullish() }),
        convert: ({ name, order }) => ({ name, position: order ?? 0 }),
      })
      .add({
        rows: components,
        shape: componentShape,
        convert: ({ name, description: text, order, group_id, created_at }) => ({
          name,
          description: text?.trim() || null,
          position: order ?? 0,
          parentId: group_id ? `group ${group_id}` : null,
          createdAt: created_at ?? null,
        }),
      })
      .list(),
    notices: [...readReports(context), ...readMaintenances(context)],
    subscribers: readSubscribers(context),
    leftOut,
    isPrivate: isPrivatePage(page) || !['public', null, undefined].includes(access_type),
  };
}

/** Earlier versions have the monitors of a page in its place. */
function listComponents(find: OpenStatusPage['find'], pageId: number): Row[] {
  const components = find('page_component', 'page_id', pageId);
  if (components.length) return components;
  return find('monitors_to_pages', 'page_id', pageId).flatMap(({ monitor_id, order }) =>
    find('monitor', 'id', monitor_id).map(({ name, external_name, description }) => ({
      id: monitor_id,
      monitor_id,
      name: external_name || name,
      description,
      order,
    })),
  );
}

const readSubscribers = ({ leftOut, find, pageId }: OpenStatusPage): ImportedSubscriber[] =>
  readRows('subscriber', leftOut, {
    rows: find('page_subscriber', 'page_id', pageId),
    shape: subscriberShape,
    convert: ({ id: sourceId, email, channel_type, accepted_at }) => {
      if (channel_type && channel_type !== 'email')
        throw new UnusableRow(`has the channel ${channel_type}, which cannot be moved`);
      if (!accepted_at) throw new UnusableRow('has not confirmed');
      const chosen = find('page_subscriber_to_page_component', 'page_subscriber_id', Number(sourceId));
      return {
        sourceId,
        email: email ?? '',
        componentIds: chosen.length ? chosen.map(row => String(row.page_component_id)) : null,
        consentedAt: accepted_at,
      };
    },
  });
