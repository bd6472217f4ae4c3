import { problems } from '../../core/problems.js';
import { isBlank, type Validation } from '../../core/validation.js';
import { query } from '../../db/prepared-statements.js';
import { refuseTimesWithoutOffset } from '../../pages/times-without-offset.js';
import { adviseTimeZone, findTimeZoneName } from '../../pages/time-zone-names.js';
import type { Unit } from '../../records/unit.js';
import type { Notice } from '../notice.entity.js';
import { Recurrence } from './recurrence.entity.js';
import type { RecurrenceInput } from './recurrence.inputs.js';
import {
  checkRule,
  checkWindows,
  type FurtherWindow,
  listOccurrences,
  planDueAt,
  type Schedule,
} from './recurrence.rules.js';
import { normalizeRule } from './rule-text.js';

export type ScheduleInput = Pick<RecurrenceInput, 'rule' | 'timezone' | 'windows' | 'onMissingHour'>;

/** What a maintenance is to repeat by. */
export function readSchedule(
  { rule, timezone, windows, onMissingHour }: ScheduleInput,
  beginsAt: Date,
  timezoneOfPage: string,
  validation: Validation,
): Required<Schedule> | null {
  const name = timezone == null ? timezoneOfPage : findTimeZoneName(timezone.trim());
  if (name === undefined) {
    const advice = adviseTimeZone(timezone!.trim());
    validation.addError('timezone', problems.invalid(`must be one of the \`timezones\` (${advice})`));
    return null;
  }
  if (isBlank(rule) && !windows?.length) {
    validation.addError('rule', { ...problems.blank, requirement: 'must not be blank without `windows`' });
    return null;
  }
  for (const [index, window] of (windows ?? []).entries())
    refuseTimesWithoutOffset(window, name, validation, { list: 'windows', index });
  const given = {
    rule: isBlank(rule) ? null : normalizeRule(rule!),
    timezoneName: name,
    beginsAt,
    windows: storeWindows(windows),
    onMissingHour: onMissingHour ?? 'skip',
  };
  const problem = checkRule(given);
  const windowsProblem = checkWindows(given);
  if (problem) validation.addError('rule', problem);
  if (windowsProblem) validation.addError('windows', windowsProblem);
  return (problem ?? windowsProblem) ? null : { ...given, windows: given.windows.toSorted(byStart) };
}

const storeWindows = (windows: RecurrenceInput['windows']): FurtherWindow[] =>
  (windows ?? []).map(({ beginsAt, endsAt }) => ({ beginsAt: beginsAt.toISOString(), endsAt: endsAt.toISOString() }));

const byStart = (one: FurtherWindow, other: FurtherWindow) => one.beginsAt.localeCompare(other.beginsAt);

/** Refuses a rule that the first window does not fit: readers would count from different days. */
export function refuseOtherStart(schedule: Schedule, validation: Validation): void {
  const [first] = listOccurrences({ ...schedule, windows: [] }, schedule.beginsAt, 1);
  if (first && first.getTime() !== schedule.beginsAt.getTime())
    validation.addError(
      'rule',
      problems.invalid(`must fit \`beginsAt\`: its first occurrence would be ${first.toISOString()}`),
    );
}

/** Stores what a new maintenance repeats by. The notice is its first occurrence. */
export async function startRecurrence(
  unit: Unit,
  { notice, content, schedule }: { notice: Notice; content: string | null; schedule: Required<Schedule> },
  /** `announcedUntil`: the start of the last occurrence that the message about the notice named. */
  { shouldPublish, announcedUntil }: { shouldPublish: boolean; announcedUntil: Date | null },
): Promise<void> {
  const { page, subject, tagList, reminder, shouldAutomateSchedule, endsAt } = notice;
  const recurrence = unit.create(Recurrence, {
    ...schedule,
    page,
    subject,
    content,
    tagList,
    reminder,
    shouldAutomateSchedule,
    shouldPublish,
    componentIds: notice.components.getIdentifiers<number>(),
    endsAt: endsAt!,
    announcedUntil,
  });
  await unit.save();
  await storeOccurrence(unit, recurrence, schedule.beginsAt, notice.id);
  await planNext(unit, recurrence);
}

/** SQL: the start of an occurrence, as `getTime()` has it. */
export const occursAtSql = 'extract(epoch from o.occurs_at)::float8 * 1000';

/** Once for each occurrence: the key of the table refuses a second row. */
export const storeOccurrence = (unit: Unit, { id }: Recurrence, occursAt: Date, noticeId: number | null) =>
  query(unit.em, 'insert into occurrence (recurrence_id, occurs_at, notice_id) values ($1, $2, $3)', [
    id,
    occursAt,
    noticeId,
  ]);

/** Finds the next occurrence that is neither a notice nor skipped, and when it becomes one. */
export async function planNext(unit: Unit, recurrence: Recurrence): Promise<void> {
  const rows = await query<{ occursAt: number; isPlanned: boolean }>(
    unit.em,
    `select ${occursAtSql} as "occursAt", n.state is not distinct from 'scheduled' as "isPlanned"
     from occurrence o left join notice n on n.id = o.notice_id
     where o.recurrence_id = $1 and o.occurs_at > $2 order by o.occurs_at`,
    [recurrence.id, unit.now],
  );
  const stored = new Set(rows.map(({ occursAt }) => occursAt));
  const nextAt = listOccurrences(recurrence, unit.now, rows.length + 1).find(start => !stored.has(start.getTime()));
  const planned = rows.filter(({ isPlanned, occursAt }) => isPlanned && nextAt && occursAt < nextAt.getTime());
  recurrence.nextOccurrenceAt = nextAt ?? null;
  recurrence.nextNoticeAt = nextAt
    ? planDueAt(
        nextAt,
        planned.map(({ occursAt }) => new Date(occursAt)),
      )
    : null;
  await unit.save();
}
