import { query } from '../../db/prepared-statements.js';
import { Page } from '../../pages/page.entity.js';
import { refuseTimesWithoutOffset } from '../../pages/times-without-offset.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { Writer } from '../../records/writer.js';
import { Recurrence } from './recurrence.entity.js';
import { describeSchedule, findEnd, listOccurrences } from './recurrence.rules.js';
import { type ClockChange, listClockChanges } from './clock-changes.js';
import { occursAtSql, readSchedule, type ScheduleInput } from './start-recurrence.js';

/** What a rule leads to: its words, and at most as many starts as a form shows. */
export interface Occurrences {
  description: string;
  beginsAt: Date[];
  clockChanges: ClockChange[];
}

/** The first occurrences; `beginsAt` is the first one, if it fits the rule. */
export const previewOccurrences = (
  write: Writer,
  pageId: string,
  input: ScheduleInput,
  { beginsAt, endsAt }: { beginsAt: Date; endsAt: Date | null },
): Promise<Occurrences> =>
  write.readOnly(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    refuseTimesWithoutOffset({ beginsAt, endsAt }, page.timezoneName, unit.validation);
    const schedule = readSchedule(input, beginsAt, page.timezoneName, unit.validation);
    unit.validation.throwIfInvalid();
    return {
      description: describeSchedule(schedule!),
      beginsAt: listOccurrences(schedule!, beginsAt, 3),
      clockChanges: listClockChanges({ ...schedule!, endsAt }, beginsAt),
    };
  });

interface UpcomingOccurrence {
  occursAt: Date;
  beginsAt: Date;
  endsAt: Date;
  noticeId: number | null;
}

export interface Upcoming {
  description: string;
  occurrences: UpcomingOccurrence[];
  clockChanges: ClockChange[];
}

/** Those that are notices and still to begin, as they were moved, and after them those that the rule leads to. */
export const listUpcoming = (write: Writer, pageId: string, id: string): Promise<Upcoming> =>
  write.readOnly(async unit => {
    const recurrence = await unit.find<Recurrence>(pageRecordPath(pageId, Recurrence, id));
    const stored = await query<{ occursAt: number; noticeId: number | null; state: string | null } & Window>(
      unit.em,
      `select ${occursAtSql} as "occursAt", n.id as "noticeId", n.state, ${windowSql}
       from occurrence o left join notice n on n.id = o.notice_id where o.recurrence_id = $1
       and (o.occurs_at > $2 or n.state = 'scheduled') order by o.occurs_at`,
      [recurrence.id, unit.now],
    );
    const planned = stored
      .filter(({ state }) => state === 'scheduled')
      .map(({ occursAt, noticeId, beginsAt, endsAt }) => ({
        noticeId,
        occursAt: new Date(occursAt),
        beginsAt: new Date(beginsAt),
        endsAt: new Date(endsAt),
      }));
    const computed = listOccurrences(recurrence, unit.now, stored.length + 3)
      .filter(start => !stored.some(({ occursAt }) => occursAt === start.getTime()))
      .slice(0, Math.max(1, 3 - planned.length))
      .map(start => ({ noticeId: null, occursAt: start, beginsAt: start, endsAt: findEnd(recurrence, start) }));
    return {
      description: describeSchedule(recurrence),
      occurrences: [...planned, ...computed],
      clockChanges: listClockChanges(recurrence, unit.now),
    };
  });

interface Window {
  /** In milliseconds. */
  beginsAt: number;
  endsAt: number;
}

const windowSql = `extract(epoch from n.begins_at)::float8 * 1000 as "beginsAt",
  extract(epoch from n.ends_at)::float8 * 1000 as "endsAt"`;
