import { z } from 'zod';
import type { NoticeState } from '../../../notices/notice.states.js';
import { id, optionalText, seconds } from '../convert-rows.js';
import type { ImportedNotice, LeftOut } from '../imported-page.js';
import { lookUp, requireState } from '../look-up.js';
import { findSpan } from '../notice-span.js';
import { readRows } from '../read-rows.js';

export const tables = [
  'page',
  'page_component',
  'page_groups',
  'page_component_groups',
  'monitors_to_pages',
  'monitor',
  'status_report',
  'status_report_update',
  'status_report_to_page_component',
  'status_report_to_monitors',
  'maintenance',
  'maintenance_to_page_component',
  'maintenance_to_monitor',
  'page_subscriber',
  'page_subscriber_to_page_component',
] as const;

export type Row = Record<string, unknown>;

export interface OpenStatusPage {
  leftOut: LeftOut[];
  now: Date;
  /** The rows of a table that have a value in a column. */
  find(table: (typeof tables)[number], column: string, value: unknown): Row[];
  /** The components that a record names. */
  listComponents(table: 'status_report' | 'maintenance', recordId: unknown): string[];
  pageId: number;
}

const reportShape = z.object({ id, title: z.string(), status: z.string(), created_at: seconds });
const updateShape = z.object({ id, status: z.string(), date: seconds, message: z.string() });
const maintenanceShape = z.object({
  id,
  title: z.string(),
  message: optionalText,
  from: seconds,
  to: seconds,
  created_at: seconds.nullish(),
});
const states: Record<string, NoticeState> = {
  investigating: 'investigating',
  identified: 'identified',
  monitoring: 'recovering',
  resolved: 'resolved',
};

export const readReports = ({ leftOut, find, listComponents: list, pageId }: OpenStatusPage): ImportedNotice[] =>
  readRows('notice', leftOut, {
    rows: find('status_report', 'page_id', pageId),
    shape: reportShape,
    convert: ({ id: reportId, title: subject, status, created_at: createdAt }) => {
      const state = requireState(states, status);
      const updates = readRows('update', leftOut, {
        rows: find('status_report_update', 'status_report_id', Number(reportId)),
        shape: updateShape,
        convert: ({ id: updateId, status: of, date: postedAt, message: content }) => ({
          sourceId: `update ${updateId}`,
          content,
          state: lookUp(states, of) ?? null,
          postedAt,
        }),
      });
      const moments = updates.map(update => ({ state: update.state, at: update.postedAt }));
      return {
        sourceId: `report ${reportId}`,
        type: 'unplanned',
        subject,
        state,
        ...findSpan({
          type: 'unplanned',
          state,
          createdAt,
          began: moments.length ? moments[0]!.at : createdAt,
          moments,
        }),
        createdAt,
        componentIds: list('status_report', Number(reportId)),
        updates,
      };
    },
  });

/** They have no states: the time says. */
export const readMaintenances = ({
  leftOut,
  find,
  listComponents: list,
  pageId,
  now,
}: OpenStatusPage): ImportedNotice[] =>
  readRows('notice', leftOut, {
    rows: find('maintenance', 'page_id', pageId),
    shape: maintenanceShape,
    convert: ({ id: maintenanceId, title: subject, message, from: beginsAt, to: endsAt, created_at }) => {
      const state = endsAt <= now ? 'complete' : beginsAt <= now ? 'underway' : 'scheduled';
      const sourceId = `maintenance ${maintenanceId}`;
      const createdAt = created_at ?? beginsAt;
      const content = message?.trim();
      return {
        sourceId,
        type: 'planned',
        subject,
        state,
        beginsAt,
        endsAt,
        beganAt: state === 'scheduled' ? null : beginsAt,
        endedAt: state === 'complete' ? endsAt : null,
        createdAt,
        componentIds: list('maintenance', Number(maintenanceId)),
        updates: content ? [{ sourceId, content, state: 'scheduled', postedAt: createdAt }] : [],
      };
    },
  });
