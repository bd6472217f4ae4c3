import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { CommandError } from '../../../core/errors.js';
import type { NoticeState } from '../../../notices/notice.states.js';
import { ComponentReader } from '../component-reader.js';
import { convertRows, id, idOf, isTimeZone, localTime, optionalText, time, UnusableRow } from '../convert-rows.js';
import { isPrivatePage } from '../hidden.js';
import {
  type ImportedComponent,
  type ImportedNotice,
  importedNotice,
  type ImportedPage,
  type LeftOut,
} from '../imported-page.js';
import { type Answers, listRows, type ReadOptions, requireTimeZone, type Source } from '../source.js';

const tables = [
  ...['status_page', 'group', 'monitor_group', 'monitor', 'incident'],
  ...['maintenance', 'maintenance_status_page', 'monitor_maintenance'],
] as const;

/** Its backup has no status pages, so its database is read. It has no subscribers. */
export const uptimeKuma: Source = { label: 'Uptime Kuma', files: tables, open, read };

async function open(path: string): Promise<Answers> {
  const { DatabaseSync } = await import('node:sqlite');
  try {
    const file = (await stat(path)).isDirectory() ? `${path}/kuma.db` : path;
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return Object.fromEntries(tables.map(table => [table, database.prepare(`select * from "${table}"`).all()]));
    } finally {
      database.close();
    }
  } catch (error) {
    throw new CommandError(`${path} is no database of Uptime Kuma: ${(error as Error).message}\n`);
  }
}

const pageShape = z.looseObject({
  ...{ id: z.int(), slug: z.string(), title: z.string(), description: optionalText },
  search_engine_index: z.union([z.number(), z.boolean()]).nullish(),
});
type StatusPage = z.infer<typeof pageShape>;

const rowOfPage = z.object({ status_page_id: z.int().nullish() });
const groupShape = z.object({ id, name: z.string(), weight: z.int().nullish() });
const memberShape = z.object({ id, group_id: id, monitor_id: id, weight: z.int().nullish() });
const incidentShape = z.object({
  ...{ id, title: optionalText, content: optionalText, style: optionalText },
  ...{ active: z.union([z.number(), z.boolean()]), created_date: time, last_updated_date: time.nullish() },
});
const maintenanceShape = z.object({
  ...{ id, title: optionalText, description: optionalText, strategy: z.string(), timezone: optionalText },
  ...{ active: z.union([z.number(), z.boolean()]), start_date: z.string().nullish(), end_date: z.string().nullish() },
});

function read(answers: Answers, options: ReadOptions): ImportedPage {
  const leftOut: LeftOut[] = [];
  const page = choosePage(answers, options);
  const { title, description, search_engine_index: isIndexed } = page;
  const groups = listRows(answers, 'group').filter(row => isOfPage(row, page));
  const groupIds = new Set(groups.map(idOf));
  const members = convertRows({
    ...{ leftOut, kind: 'component', rows: listRows(answers, 'monitor_group'), shape: memberShape },
    ...{ convert: member => member, result: z.custom<Member>() },
  }).filter(({ group_id }) => groupIds.has(group_id));
  return {
    settings: { name: title, metaDescription: description, visibleToSearch: Boolean(isIndexed ?? true) },
    components: readComponents(answers, { groups, members }, leftOut),
    notices: [
      ...readIncidents(
        listRows(answers, 'incident').filter(row => isOfPage(row, page)),
        leftOut,
      ),
      ...readMaintenances(answers, { page, members, options }, leftOut),
    ],
    ...{ subscribers: [], leftOut, isPrivate: isPrivatePage(page) },
  };
}

function choosePage(answers: Answers, { sourcePage }: ReadOptions): StatusPage {
  const pages = listRows(answers, 'status_page').flatMap(row => pageShape.safeParse(row).data ?? []);
  const slugs = pages.map(({ slug }) => slug).join(', ');
  const chosen = sourcePage ? pages.filter(({ slug }) => slug === sourcePage) : pages;
  if (chosen.length === 1) return chosen[0]!;
  throw new CommandError(
    pages.length ? `Choose a page by --source-page: ${slugs}.\n` : 'The database has no status page.\n',
  );
}

const isOfPage = (row: unknown, page: StatusPage) => rowOfPage.safeParse(row).data?.status_page_id === page.id;

function readComponents(
  answers: Answers,
  { groups, members }: { groups: readonly unknown[]; members: readonly Member[] },
  leftOut: LeftOut[],
): ImportedComponent[] {
  const monitors = listRows(answers, 'monitor') as { id: number; name: string }[];
  const names = new Map(monitors.map(monitor => [String(monitor.id), monitor.name]));
  return new ComponentReader(leftOut)
    .add({
      ...{ prefix: 'group ', rows: groups, shape: groupShape },
      convert: ({ name, weight }) => ({ name, position: weight ?? 0 }),
    })
    .add({
      ...{ prefix: 'monitor ', rows: members, shape: z.custom<Member>() },
      convert: ({ group_id, monitor_id, weight }) => ({
        ...{ name: names.get(monitor_id)!, parentId: `group ${group_id}`, position: weight ?? 0 },
      }),
    })
    .list();
}
type Member = z.infer<typeof memberShape>;

/** A warning or a danger is an incident, the others are announcements. Texts are Markdown, and times are in UTC. */
const readIncidents = (rows: readonly unknown[], leftOut: LeftOut[]): ImportedNotice[] =>
  convertRows({
    ...{ leftOut, kind: 'notice', rows, shape: incidentShape },
    convert: ({ id: incidentId, title: subject, content, style, active, created_date: began, last_updated_date }) => {
      const isIncident = style === 'warning' || style === 'danger';
      const ended = last_updated_date ?? began;
      const sourceId = `incident ${incidentId}`;
      return {
        ...{ sourceId, subject, type: isIncident ? 'unplanned' : 'general', createdAt: began, beganAt: began },
        ...{ state: isIncident ? (active ? 'investigating' : 'resolved') : null, componentIds: [] },
        endedAt: isIncident ? (active ? null : ended) : began,
        ...{ impact: style === 'danger' ? 'major-outage' : 'degraded' },
        updates: content?.trim()
          ? [{ sourceId, content, kind: 'update', postedAt: began, state: isIncident ? 'investigating' : null }]
          : [],
      };
    },
    result: importedNotice,
  });

function chooseZone(timezone: string | null | undefined, options: ReadOptions): string {
  if (!timezone || timezone === 'SAME_AS_SERVER') return requireTimeZone('Uptime Kuma', options);
  if (isTimeZone(timezone)) return timezone;
  throw new UnusableRow(`has the unknown time zone ${JSON.stringify(timezone)}`);
}

interface MaintenanceContext {
  page: StatusPage;
  members: readonly Member[];
  options: ReadOptions;
}

function readMaintenances(answers: Answers, context: MaintenanceContext, leftOut: LeftOut[]): ImportedNotice[] {
  const { page, members, options } = context;
  const list = (table: string) => listRows(answers, table) as Record<string, number>[];
  const ofPage = new Set(
    list('maintenance_status_page').flatMap(row => (row.status_page_id === page.id ? row.maintenance_id : [])),
  );
  const findComponents = (maintenance: string) => {
    const monitors = list('monitor_maintenance').filter(row => String(row.maintenance_id) === maintenance);
    const ids = new Set(monitors.map(row => String(row.monitor_id)));
    return members.filter(({ monitor_id }) => ids.has(monitor_id)).map(member => `monitor ${member.id}`);
  };
  return convertRows({
    ...{ leftOut, kind: 'notice', shape: maintenanceShape },
    rows: list('maintenance').filter(row => ofPage.has(row.id)),
    convert: ({ id: maintenanceId, title: subject, description: content, strategy, timezone, active, ...dates }) => {
      if (strategy !== 'single') throw new UnusableRow(`has the strategy ${strategy}, and no single window`);
      if (!active) throw new UnusableRow('is paused');
      const zone = chooseZone(timezone, options);
      const [beginsAt, endsAt] = [dates.start_date, dates.end_date].map(date => localTime(zone).parse(date));
      const state: NoticeState =
        beginsAt! > options.now ? 'scheduled' : endsAt! > options.now ? 'underway' : 'complete';
      const postedAt = beginsAt! < options.now ? beginsAt! : options.now;
      const sourceId = `maintenance ${maintenanceId}`;
      return {
        ...{ sourceId, subject, type: 'planned', state, beginsAt, endsAt, createdAt: beginsAt },
        ...{ beganAt: state === 'scheduled' ? null : beginsAt, endedAt: state === 'complete' ? endsAt : null },
        componentIds: findComponents(maintenanceId),
        updates: content?.trim() ? [{ sourceId, content, kind: 'update', postedAt, state: 'scheduled' }] : [],
      };
    },
    result: importedNotice,
  });
}
