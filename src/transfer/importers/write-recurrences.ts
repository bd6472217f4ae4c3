import { Page } from '../../pages/page.entity.js';
import { Recurrence } from '../../notices/recurrence/recurrence.entity.js';
import { listOccurrences } from '../../notices/recurrence/recurrence.rules.js';
import { updateRecurrence } from '../../notices/recurrence/update-recurrence.js';
import { planNext } from '../../notices/recurrence/start-recurrence.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import type { ImportedRecurrence } from './imported-recurrence.js';
import type { KindPlan } from './plan.js';
import { type Identified, track } from './source-ids.js';
import type { Target } from './write-records.js';

/**
 * Its occurrences begin and end by themselves, as they do at the source, and nobody is notified of them. Each becomes a
 * notice when it is due.
 */
export async function writeRecurrences(
  write: Writer,
  target: Target,
  { created, changed }: KindPlan<ImportedRecurrence>,
): Promise<void> {
  const { pageId } = target;
  for (const planned of created)
    await write.transaction(async unit => {
      const page = await unit.find<Page>([[Page, pageId]]);
      const { subject, content, schedule, endsAt } = planned.row;
      const recurrence = unit.create(Recurrence, {
        ...schedule,
        windows: [],
        page,
        subject,
        content,
        endsAt,
        componentIds: findIds(planned.row, target),
        shouldAutomateSchedule: true,
        shouldPublish: false,
        reminder: 'none',
      });
      await unit.save();
      await planNext(unit, recurrence);
      await remember(unit, target, { ...planned, id: recurrence.id });
    });
  for (const planned of changed) {
    const { subject, content, schedule, endsAt } = planned.row;
    const componentIds = findIds(planned.row, target).map(String);
    const next = await write.readOnly(async unit => {
      await unit.started;
      return listOccurrences(schedule, unit.now, 1)[0] ?? schedule.beginsAt;
    });
    await updateRecurrence(write, pageId, String(planned.id), undefined, {
      subject,
      content,
      componentIds,
      rule: schedule.rule,
      timezone: schedule.timezoneName,
      shouldPublish: false,
      beginsAt: next,
      endsAt: new Date(next.getTime() + endsAt.getTime() - schedule.beginsAt.getTime()),
    });
    await write.transaction(unit => remember(unit, target, planned));
  }
}

const findIds = ({ componentIds }: ImportedRecurrence, target: Target): number[] =>
  componentIds.flatMap(id => target.componentIds.get(id) ?? []);

const remember = ({ em }: Unit, { pageId, source }: Target, recurrence: Identified<ImportedRecurrence>) =>
  track(em, { pageId, source, kind: 'recurrence' }, [recurrence]);
