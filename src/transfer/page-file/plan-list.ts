import { resolveReferences } from './component-references.js';
import { type FileListed, refuseUnknown, type StoredListed } from './page-file.js';
import { type ComponentPlan, describePath } from './plan-components.js';
import type { ListKind } from './record-lists.js';
import { compareValues, createDeletion, type SectionPlan, type Step, toInput } from './step.js';

/** Plans a list of records, which are matched by id, or else by name. */
export function planList(
  kind: ListKind,
  stored: readonly StoredListed[],
  desired: readonly FileListed[] | null,
  components: ComponentPlan['components'],
): SectionPlan {
  if (!desired) return { steps: [], unlisted: [] };
  const byId = new Map(stored.map(record => [record.id, record]));
  refuseUnknown(
    kind,
    desired.filter(({ id }) => id !== null && !byId.has(id)),
  );
  const claimed = new Set(desired.map(({ id }) => id));
  const free = new Set(stored.filter(({ id }) => !claimed.has(id)));
  const steps = desired.flatMap((record, index) => {
    const { name } = record.values;
    const match = record.id === null ? [...free].find(({ values }) => values.name === name) : byId.get(record.id);
    if (match) free.delete(match);
    return planRecord(kind, match, record, `new ${kind}:${index}`, components);
  });
  const unlisted = [...free].map(({ id, version, values }) => createDeletion(kind, id, String(values.name), version));
  return { steps, unlisted };
}

function planRecord(
  kind: ListKind,
  match: StoredListed | undefined,
  record: FileListed,
  newId: string,
  components: ComponentPlan['components'],
): Step[] {
  const ids = record.components && resolveReferences(record.components, components);
  const changes = compareValues(match?.values, record);
  const input = toInput(changes);
  const idsBefore = match?.componentIds ?? [];
  if (ids && !haveSameMembers(ids, idsBefore)) {
    const describe = (list: readonly string[]) => list.map(id => describePath(components, id) || id);
    changes.push({ field: 'components', ...(match && { before: describe(idsBefore) }), after: describe(ids) });
    input.componentIds = ids;
  }
  if (match && !changes.length) return [];
  const name = String(record.values.name);
  const step = { kind, name, changes, input, source: record } as const;
  return [
    match
      ? { ...step, action: 'change', id: match.id, version: match.version }
      : { ...step, action: 'create', id: newId },
  ];
}

const haveSameMembers = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every(id => other.includes(id));
