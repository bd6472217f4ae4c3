import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { refuseTimesWithoutOffset } from '../../pages/times-without-offset.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import { writeChange } from '../../notifications/preview/write-change.js';
import { Draft } from './draft.entity.js';
import { toValues, clearedSchedule } from './draft.service.js';
import type { InputFormat } from './input-format.js';

interface Schedule {
  publishAt: Date;
  /** Of the preview that the one who schedules it has confirmed. */
  previewHash: string;
}

const dayMs = 86_400_000;
/** A later time is a mistake in the year: nobody remembers what was to be published by then. */
const maxDays = 366;

/** Has a draft published at a time, if it could be published now exactly as its preview shows it. */
export async function scheduleDraft(
  write: Writer,
  format: InputFormat,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  { publishAt, previewHash }: Schedule,
): Promise<string> {
  const version = await write.dryRun(async unit => {
    const draft = await unit.find<Draft>(pageRecordPath(pageId, Draft, id), versions);
    const change = toValues(format, draft);
    checkTimes(unit, draft, publishAt, change.input[draft.verb]!);
    await writeChange(unit, pageId, change, { shouldPublish: true, previewHash });
    return draft.version;
  });
  return write.transaction(async unit => {
    const draft = await unit.find<Draft>(pageRecordPath(pageId, Draft, id), [version]);
    Object.assign(draft, {
      publishAt,
      previewHash,
      schedulerKey: unit.actor,
      failure: null,
      isErrorReported: false,
    });
    await unit.save();
    return id;
  });
}

function checkTimes({ now, validation }: Unit, { page }: Draft, publishAt: Date, input: object): void {
  refuseTimesWithoutOffset({ publishAt }, page.timezoneName, validation);
  const { nextUpdateBy } = input as { nextUpdateBy?: Date | null };
  if (publishAt <= now) validation.addError('publishAt', problems.outOfRange('must be in the future'));
  else if (publishAt.getTime() > now.getTime() + maxDays * dayMs)
    validation.addError('publishAt', problems.outOfRange(`must be within ${maxDays} days`));
  if (nextUpdateBy && nextUpdateBy <= publishAt)
    validation.addError('publishAt', problems.outOfRange('must be before the next update that the draft promises'));
  validation.throwIfInvalid();
}

/** Has a draft published by hand again. */
export function unscheduleDraft(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
): Promise<string> {
  return write.transaction(async unit => {
    const draft = await unit.find<Draft>(pageRecordPath(pageId, Draft, id), versions);
    if (!draft.publishAt)
      throw invalid({
        id: [problems.notApplicable('must be that of a draft that is scheduled, and not published yet')],
      });
    Object.assign(draft, clearedSchedule);
    await unit.save();
    return id;
  });
}
