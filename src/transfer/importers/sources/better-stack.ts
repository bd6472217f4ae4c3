import { z } from 'zod';
import type { ManualComponentStatus } from '../../../components/manual-status.rules.js';
import type { NoticeState } from '../../../notices/notice.states.js';
import { ComponentReader } from '../component-reader.js';
import { id, optionalId, optionalText, optionalTime, time, UnusableRow } from '../convert-rows.js';
import { isPrivatePage } from '../hidden-records.js';
import { htmlToMarkdown } from '../html-to-markdown.js';
import { lookUp } from '../look-up.js';
import type { ImportedComponent, ImportedPage, LeftOut } from '../imported-page.js';
import { findSpan } from '../notice-span.js';
import { readRows } from '../read-rows.js';
import { type Answers, listRows, readRaw, type ReadOptions, readRecord, type Source } from '../source.js';

/** JSON:API. Its API has no subscribers. Incidents of its monitors are not what the page said, reports are. */
export const betterStack: Source = {
  label: 'Better Stack',
  files: ['status-page', 'sections', 'resources', 'status-reports', 'status-updates'],
  api: {
    origin: 'https://uptime.betterstack.com',
    authorize: token => `Bearer ${token}`,
    intervalMs: 500,
    paths: {
      'status-page': '/api/v2/status-pages/:page',
      sections: '/api/v2/status-pages/:page/sections',
      resources: '/api/v2/status-pages/:page/resources',
      'status-reports': '/api/v2/status-pages/:page/status-reports',
      'status-updates': {
        path: '/api/v2/status-pages/:page/status-reports/:each/status-updates',
        each: 'status-reports',
      },
    },
  },
  read,
};

const record = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ id, attributes: z.object(shape) });
const affected = z.array(z.object({ status_page_resource_id: id, status: z.string() })).nullish();

const pageShape = z.object({
  attributes: z.object({
    company_name: z.string(),
    company_url: optionalText,
    timezone: optionalText,
    hide_from_search_engines: z.boolean().nullish(),
  }),
});
const sectionShape = record({ name: z.string().nullish(), position: z.int().nullish() });
const resourceShape = record({
  status_page_section_id: optionalId,
  public_name: z.string(),
  explanation: optionalText,
  position: z.int().nullish(),
});
const reportShape = record({
  title: optionalText,
  report_type: z.string(),
  starts_at: time,
  ends_at: optionalTime,
  affected_resources: affected,
});
const updateShape = record({
  message: optionalText,
  published_at: time,
  status_report_id: optionalId,
  affected_resources: affected,
});

const componentStatuses: Record<string, ManualComponentStatus> = {
  operational: 'operational',
  resolved: 'operational',
  degraded: 'degraded',
  downtime: 'major-outage',
  maintenance: 'maintenance',
};

function read(answers: Answers, { now }: ReadOptions): ImportedPage {
  const leftOut: LeftOut[] = [];
  const page = readRecord(answers, 'status-page', pageShape, leftOut)?.attributes;
  return {
    settings: page
      ? {
          name: page.company_name,
          websiteUrl: page.company_url,
          timezone: page.timezone,
          isVisibleToSearch: !page.hide_from_search_engines,
        }
      : {},
    components: readComponents(answers, leftOut),
    notices: readRows('notice', leftOut, {
      rows: listRows(answers, 'status-reports'),
      shape: reportShape,
      convert: createReportConverter(answers, now, leftOut),
    }),
    subscribers: [],
    leftOut,
    isPrivate: isPrivatePage(readRaw(answers, 'status-page')),
  };
}

const readComponents = (answers: Answers, leftOut: LeftOut[]): ImportedComponent[] =>
  new ComponentReader(leftOut)
    .add({
      prefix: 'section ',
      rows: listRows(answers, 'sections'),
      shape: sectionShape,
      convert: ({ attributes: { name, position } }) => {
        if (!name?.trim()) throw new UnusableRow('has no name: its resources stand alone');
        return { name, position: position ?? 0 };
      },
    })
    .add({
      rows: listRows(answers, 'resources'),
      shape: resourceShape,
      convert: ({ attributes: { status_page_section_id: section, public_name: name, ...rest } }) => ({
        name,
        parentId: section ? `section ${section}` : null,
        position: rest.position ?? 0,
        description: rest.explanation?.trim() || null,
      }),
    })
    .list();

function createReportConverter(answers: Answers, now: Date, leftOut: LeftOut[]) {
  const rows = listRows(answers, 'status-updates');
  const updatesByReport = Map.groupBy(rows, row =>
    String(updateShape.safeParse(row).data?.attributes.status_report_id),
  );
  return ({ id: sourceId, attributes: report }: z.infer<typeof reportShape>) => {
    const { title: subject, report_type, starts_at: began, ends_at: end, affected_resources } = report;
    const type = report_type === 'maintenance' ? 'planned' : 'unplanned';
    const changes: { componentId: string; state: ManualComponentStatus; at: Date }[] = [];
    const addChanges = (list: z.infer<typeof affected>, at: Date) => {
      for (const { status_page_resource_id: componentId, status } of list ?? []) {
        const state = lookUp(componentStatuses, status.toLowerCase());
        if (state) changes.push({ componentId, state, at });
      }
    };
    const isOver = Boolean(end && end <= now);
    const closed: NoticeState = type === 'planned' ? 'complete' : 'resolved';
    const open: NoticeState = type === 'unplanned' ? 'investigating' : began > now ? 'scheduled' : 'underway';
    const updates = readRows('update', leftOut, {
      rows: updatesByReport.get(sourceId) ?? [],
      shape: updateShape,
      convert: ({ id: updateId, attributes: { message, published_at: postedAt, affected_resources: list } }) => {
        addChanges(list, postedAt);
        const isLast = Boolean(list?.length) && list!.every(({ status }) => status.toLowerCase() === 'resolved');
        const state = isLast ? closed : type === 'planned' && postedAt < began ? 'scheduled' : open;
        return { sourceId: updateId, content: htmlToMarkdown(message ?? ''), postedAt, state };
      },
    });
    if (!changes.length) addChanges(affected_resources, began);
    const isResolved = isOver || (type === 'unplanned' && updates.some(update => update.state === closed));
    const state = isResolved ? closed : open;
    const moments = updates.map(update => ({ state: update.state, at: update.postedAt }));
    const span = findSpan({ type, state, createdAt: began, began, ended: isOver ? end : null, moments });
    return {
      sourceId,
      type,
      subject,
      state,
      createdAt: moments[0]?.at ?? began,
      updates,
      ...span,
      ...(type === 'planned' ? { beginsAt: began, endsAt: end } : { changes }),
      componentIds: (affected_resources ?? []).map(({ status_page_resource_id }) => status_page_resource_id),
    };
  };
}
