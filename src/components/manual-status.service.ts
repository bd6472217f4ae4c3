import { problems } from '../core/problems.js';
import { isBlank, validateText } from '../core/validation.js';
import { Page } from '../pages/page.entity.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { Component } from './component.entity.js';
import type { ComponentsChange, RecordChange } from './component.service.js';
import { findComponent, loadComponents } from './find-components.js';
import { recomputeComponentStates } from './component-states.service.js';
import { toStatusName } from './component.enums.js';
import { ManualStatus } from './manual-status.entity.js';
import type { SetComponentStatusInput } from './manual-status.inputs.js';
import { type ManualComponentStatus, manualStatuses } from './manual-status.rules.js';

const maxNoteLength = 255;

/** Sets the state of a component, or with null lets it follow from notices again. Nobody is notified. */
export function setComponentStatus(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | undefined,
  input: SetComponentStatusInput | null,
): Promise<RecordChange> {
  return write.lockingTransaction(async unit => {
    const component = await findComponent(unit, pageId, id, versions);
    const componentIds = await setStatuses(unit, component.page, [component], input);
    return { pageId, recordId: component.id, componentIds };
  });
}

/** The same for several components of a page: all of them or none. */
export function setComponentStatuses(
  write: Writer,
  pageId: string,
  ids: readonly string[],
  input: SetComponentStatusInput | null,
): Promise<ComponentsChange> {
  return write.lockingTransaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const components = await loadComponents(unit, page, ids);
    return { pageId, componentIds: await setStatuses(unit, page, components, input) };
  });
}

function readStatus({ validation }: Unit, { status }: SetComponentStatusInput): ManualComponentStatus {
  const allowed = manualStatuses.find(one => one === status);
  if (!allowed) validation.addError('status', problems.notIncluded(manualStatuses.map(toStatusName)));
  return allowed ?? 'operational';
}

async function setStatuses(
  unit: Unit,
  page: Page,
  components: readonly Component[],
  input: SetComponentStatusInput | null,
): Promise<number[]> {
  const status = input && readStatus(unit, input);
  const note = isBlank(input?.note) ? null : input!.note!.trim();
  if (note !== null) validateText(unit.validation, 'note', note, maxNoteLength);
  unit.validation.throwIfInvalid();
  const ids = components.map(({ id }) => id);
  const current = await unit.em.find(ManualStatus, { component: { $in: ids }, endedAt: null });
  const currentById = new Map(current.map(manual => [manual.component.id, manual]));
  const begun = components.filter(component => {
    const manual = currentById.get(component.id);
    if (manual ? manual.status === status && manual.note === note : !input) return false;
    unit.touch(component);
    if (manual && manual.status === status) manual.note = note;
    else if (manual) manual.endedAt = unit.now;
    return input && manual?.status !== status;
  });
  // Before the others begin: a component has one at a time, and a flush inserts before it updates.
  await unit.save();
  for (const component of begun)
    unit.em.persist(
      unit.em.create(ManualStatus, { page, component, status: status!, note, beganAt: unit.now, endedAt: null }),
    );
  await unit.save();
  return [...new Set([...ids, ...(await recomputeComponentStates(unit.em, page.id, ids))])];
}
