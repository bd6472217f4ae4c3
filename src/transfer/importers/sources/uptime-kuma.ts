import { z } from 'zod';
import { ComponentReader } from '../component-reader.js';
import { convertRows, id, idOf, optionalText, time } from '../convert-rows.js';
import { isPrivatePage } from '../hidden-records.js';
import type { ImportedComponent, ImportedNotice, ImportedPage, LeftOut } from '../imported-page.js';
import { readRows } from '../read-rows.js';
import { type Answers, choosePage, listRows, parseRows, type ReadOptions, type Source } from '../source.js';
import { openUptimeKuma, tables } from './uptime-kuma-database.js';
import { readMaintenances, readRecurrences } from './uptime-kuma-maintenance.js';

/** Its backup has no status pages, so its database is read. It has no subscribers. */
export const uptimeKuma: Source = { label: 'Uptime Kuma', files: tables, open: openUptimeKuma, isDatabase: true, read };

const pageShape = z.looseObject({
  id: z.int(),
  slug: z.string(),
  title: z.string(),
  description: optionalText,
  search_engine_index: z.union([z.number(), z.boolean()]).nullish(),
});
type StatusPage = z.infer<typeof pageShape>;

const rowOfPage = z.object({ status_page_id: z.int().nullish() });
const groupShape = z.object({ id, name: z.string(), weight: z.int().nullish() });
const memberShape = z.object({ id, group_id: id, monitor_id: id, weight: z.int().nullish() });
const incidentShape = z.object({
  id,
  title: optionalText,
  content: optionalText,
  style: optionalText,
  active: z.union([z.number(), z.boolean()]),
  created_date: time,
  last_updated_date: time.nullish(),
});
function read(answers: Answers, options: ReadOptions): ImportedPage {
  const leftOut: LeftOut[] = [];
  const page = choosePage(parseRows(listRows(answers, 'status_page'), pageShape), ({ slug }) => slug, options);
  const { title, description, search_engine_index: isIndexed } = page;
  const groups = listRows(answers, 'group').filter(row => isOfPage(row, page));
  const groupIds = new Set(groups.map(idOf));
  const members = convertRows({
    leftOut,
    kind: 'component',
    rows: listRows(answers, 'monitor_group'),
    shape: memberShape,
    convert: member => member,
    result: z.custom<Member>(),
  }).filter(({ group_id }) => groupIds.has(group_id));
  const maintenance = { ...findMaintenance(answers, { page, members }), options, leftOut };
  return {
    settings: { name: title, metaDescription: description, isVisibleToSearch: Boolean(isIndexed ?? true) },
    components: readComponents(answers, { groups, members }, leftOut),
    notices: [
      ...readIncidents(
        listRows(answers, 'incident').filter(row => isOfPage(row, page)),
        leftOut,
      ),
      ...readMaintenances(maintenance),
    ],
    recurrences: readRecurrences(maintenance),
    subscribers: [],
    leftOut,
    isPrivate: isPrivatePage(page),
  };
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
      prefix: 'group ',
      rows: groups,
      shape: groupShape,
      convert: ({ name, weight }) => ({ name, position: weight ?? 0 }),
    })
    .add({
      prefix: 'monitor ',
      rows: members,
      shape: z.custom<Member>(),
      convert: ({ group_id, monitor_id, weight }) => ({
        name: names.get(monitor_id)!,
        parentId: `group ${group_id}`,
        position: weight ?? 0,
      }),
    })
    .list();
}
type Member = z.infer<typeof memberShape>;

/** A warning or a danger is an incident, the others are announcements. Texts are Markdown, and times are in UTC. */
const readIncidents = (rows: readonly unknown[], leftOut: LeftOut[]): ImportedNotice[] =>
  readRows('notice', leftOut, {
    rows,
    shape: incidentShape,
    convert: ({ id: incidentId, title: subject, content, style, active, created_date: began, last_updated_date }) => {
      const isIncident = style === 'warning' || style === 'danger';
      const ended = last_updated_date ?? began;
      const sourceId = `incident ${incidentId}`;
      return {
        sourceId,
        subject,
        type: isIncident ? 'unplanned' : 'general',
        createdAt: began,
        beganAt: began,
        state: isIncident ? (active ? 'investigating' : 'resolved') : null,
        componentIds: [],
        endedAt: isIncident ? (active ? null : ended) : began,
        impact: style === 'danger' ? 'major-outage' : 'degraded',
        updates: content?.trim()
          ? [{ sourceId, content, postedAt: began, state: isIncident ? 'investigating' : null }]
          : [],
      };
    },
  });

/** The maintenance of a page, and the components that each names. */
function findMaintenance(answers: Answers, { page, members }: { page: StatusPage; members: readonly Member[] }) {
  const list = (table: string) => listRows(answers, table) as Record<string, unknown>[];
  const ofPage = new Set(
    list('maintenance_status_page').flatMap(row => (row.status_page_id === page.id ? row.maintenance_id : [])),
  );
  const findComponents = (maintenance: string) => {
    const monitors = list('monitor_maintenance').filter(row => String(row.maintenance_id) === maintenance);
    const ids = new Set(monitors.map(row => String(row.monitor_id)));
    return members.filter(({ monitor_id }) => ids.has(monitor_id)).map(member => `monitor ${member.id}`);
  };
  return { rows: list('maintenance').filter(row => ofPage.has(row.id)), findComponents };
}
