import { query } from '../../db/prepared-statements.js';
import type { Unit } from '../../records/unit.js';
import { type SavedNotice, saveNewNotice } from '../notice.service.js';
import type { Recurrence } from './recurrence.entity.js';
import { storeOccurrence } from './start-recurrence.js';

interface Occurrence {
  /** Its start by the rule. */
  occursAt: Date;
  beginsAt: Date;
  endsAt: Date;
  shouldPublish: boolean;
  isAnnounced?: boolean;
  previewHash?: string | null | undefined;
}

/** Makes the notice of an occurrence. */
export async function planOccurrence(
  unit: Unit,
  pageId: string,
  recurrence: Recurrence,
  { occursAt, ...values }: Occurrence,
): Promise<SavedNotice> {
  const { subject, content, tagList, shouldAutomateSchedule, reminder } = recurrence;
  const saved = await saveNewNotice(unit, pageId, {
    type: 'planned',
    subject,
    content,
    tagList,
    shouldAutomateSchedule,
    reminder,
    ...values,
    componentIds: await listExisting(unit, pageId, recurrence.componentIds),
    namedComponents: recurrence.componentIds.length > 0,
  });
  await storeOccurrence(unit, recurrence, occursAt, saved.recordId as number);
  return saved;
}

/** Without the components that were deleted since. */
const listExisting = async (unit: Unit, pageId: string, ids: readonly number[]): Promise<string[]> =>
  (
    await query<{ id: string }>(
      unit.em,
      'select id::text from component where page_id = $1 and id = any($2::integer[]) order by id',
      [pageId, ids],
    )
  ).map(({ id }) => id);
