import { recomputeComponentStates } from '../../components/component-states.service.js';
import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { createLinkToken } from '../../core/ids.js';
import { createNoticePath, tokenLength } from '../../notices/notice-text.rules.js';
import { presentSql } from '../../notices/notice.states.js';
import type { Unit } from '../../records/unit.js';
import type { ImportedComponent } from './imported-page.js';
import type { PeriodRow } from './notice-components.js';
import type { KindPlan, NoticeRow, PlannedRow, UpdateRow } from './plan.js';
import { type Identified, reserveIds, track, type TrackedKind } from './source-ids.js';

/** Where records go, and the ids here of those of the source. */
export interface Target {
  pageId: string;
  source: string;
  componentIds: Map<string, number>;
  noticeIds: Map<string, number>;
}

type Written<Row> = { created: Identified<Row>[]; changed: Identified<Row>[] };

/** Gives ids to what is new, writes it by `write`, and remembers from where it came. */
async function writeKind<Row>(
  { em }: Unit,
  kind: TrackedKind,
  { pageId, source }: Target,
  plan: Pick<KindPlan<Row>, 'created' | 'changed'>,
  write: (rows: Written<Row>) => Promise<unknown>,
): Promise<void> {
  const ids = await reserveIds(em, kind, plan.created.length);
  const created = plan.created.map((planned: PlannedRow<Row>, index) => ({ ...planned, id: ids[index]! }));
  await write({ created, changed: plan.changed });
  await track(em, { pageId, source, kind }, [...created, ...plan.changed]);
}

/** Runs a statement with rows as `r`, in which `shape` names and types their fields. */
const run = (em: EntityManager, shape: string, rows: readonly object[], sql: string, values: unknown[]) =>
  rows.length
    ? query(em, sql.replace('$rows', `jsonb_to_recordset($1::jsonb) as r (${shape})`), [
        JSON.stringify(rows),
        ...values,
      ])
    : Promise.resolve([]);

const componentShape = `id int, name text, description text, position int, parent int, "createdAt" timestamptz`;

export function writeComponents(unit: Unit, target: Target, plan: KindPlan<ImportedComponent>): Promise<void> {
  const { em, now } = unit;
  const { pageId, componentIds } = target;
  return writeKind(unit, 'component', target, plan, async ({ created, changed }) => {
    for (const { sourceId, id } of [...created, ...changed]) componentIds.set(sourceId, id);
    const toRow = ({ row, id }: Identified<ImportedComponent>) => ({ ...row, id, parent: findParent(row, target) });
    await run(
      em,
      componentShape,
      created.map(toRow),
      `insert into component (id, page_id, name, description, position, parent_id, created_at, updated_at)
       select id, $2, name, description, position, parent, coalesce("createdAt", $3::timestamptz), $3::timestamptz
       from $rows`,
      [pageId, now],
    );
    await run(
      em,
      componentShape,
      changed.map(toRow),
      `update component c set name = r.name, description = r.description, position = r.position,
         parent_id = r.parent, updated_at = $2::timestamptz, version = c.version + 1
       from $rows where c.id = r.id`,
      [now],
    );
    await recomputeComponentStates(
      em,
      pageId,
      [...created, ...changed].map(({ id }) => id),
    );
    describe(unit, 'Component', { created, changed }, ({ name }) => ({ name }));
  });
}

const findParent = ({ parentId, sourceId }: ImportedComponent, { componentIds }: Target): number | null =>
  (parentId !== null && parentId !== sourceId && componentIds.get(parentId)) || null;

const noticeShape = `id int, type text, subject text, synopsis text, state text, path text, named boolean,
  "beginsAt" timestamptz, "endsAt" timestamptz, "beganAt" timestamptz, "endedAt" timestamptz, "createdAt" timestamptz`;

/** Nothing is published, no maintenance begins or ends by itself, and none has a reminder. */
export function writeNotices(unit: Unit, target: Target, plan: Pick<KindPlan<NoticeRow>, 'created' | 'changed'>) {
  const { em, now } = unit;
  return writeKind(unit, 'notice', target, plan, async ({ created, changed }) => {
    const all = [...created, ...changed];
    for (const { sourceId, id } of all) target.noticeIds.set(sourceId, id);
    const toRow = ({ row, id }: Identified<NoticeRow>) => ({
      ...row,
      id,
      named: row.isNamed ?? false,
      path: createNoticePath(createLinkToken(), row.subject),
    });
    await run(
      em,
      noticeShape,
      created.map(toRow),
      `insert into notice (id, page_id, type, subject, synopsis, state, begins_at, ends_at, began_at, ended_at, path,
         named_components, reminder, created_at, updated_at)
       select id, $2, type, subject, synopsis, state, "beginsAt", "endsAt", "beganAt", "endedAt", path, named,
         case when type = 'planned' then 'none' end, "createdAt", $3::timestamptz
       from $rows`,
      [target.pageId, now],
    );
    const touched = await findAffected(em, changed);
    await run(
      em,
      noticeShape,
      changed.map(toRow),
      `update notice n set subject = r.subject, synopsis = r.synopsis, state = r.state, begins_at = r."beginsAt",
         ends_at = r."endsAt", began_at = r."beganAt", ended_at = r."endedAt",
         named_components = n.named_components or r.named,
         path = left(n.path, ${tokenLength}) || substr(r.path, ${tokenLength + 1}),
         begin_armed = n.begin_armed and r.state = 'scheduled',
         complete_armed = n.complete_armed and r.state in ('scheduled', 'underway'),
         updated_at = $2::timestamptz, version = n.version + 1
       from $rows where n.id = r.id`,
      [now],
    );
    await writeImpacts(em, target, all, changed);
    await recomputeComponentStates(em, target.pageId, [...touched, ...(await findAffected(em, all))]);
    describe(unit, 'Notice', { created, changed }, ({ subject, state }) => ({ subject, state }));
  });
}

async function writeImpacts(
  em: EntityManager,
  { componentIds }: Target,
  all: readonly Identified<NoticeRow>[],
  changed: readonly Identified<NoticeRow>[],
): Promise<void> {
  if (changed.length)
    await query(em, 'delete from notice_component where notice_id = any($1::int[])', [changed.map(({ id }) => id)]);
  const rows = all.flatMap(({ id, row }) =>
    row.components.map(({ componentId, impact }) => ({ notice: id, component: componentIds.get(componentId), impact })),
  );
  await run(
    em,
    'notice int, component int, impact text',
    rows,
    'insert into notice_component (notice_id, component_id, impact) select notice, component, impact from $rows',
    [],
  );
}

/** The components that ongoing ones of the notices name. */
const findAffected = async (em: EntityManager, notices: readonly { id: number }[]): Promise<number[]> =>
  (
    await query<{ id: number }>(
      em,
      `select distinct component_id as id from notice_component c join notice n on n.id = c.notice_id
       where n.id = any($1::int[]) and ${presentSql('n.state')}`,
      [notices.map(({ id }) => id)],
    )
  ).map(({ id }) => id);

const updateShape = `id int, notice int, content text, state text, kind text, "postedAt" timestamptz`;

export function writeUpdates(unit: Unit, target: Target, plan: Pick<KindPlan<UpdateRow>, 'created' | 'changed'>) {
  const { em, now } = unit;
  return writeKind(unit, 'update', target, plan, async ({ created, changed }) => {
    const toRow = ({ row, id }: Identified<UpdateRow>) => ({ ...row, id, notice: target.noticeIds.get(row.noticeId) });
    await run(
      em,
      updateShape,
      created.map(toRow),
      `insert into notice_update (id, notice_id, content, state, kind, posted_at, created_at, updated_at)
       select id, notice, content, state, kind, "postedAt", "postedAt", $2::timestamptz from $rows`,
      [now],
    );
    await run(
      em,
      updateShape,
      changed.map(toRow),
      `update notice_update u set content = r.content, state = r.state, kind = r.kind, posted_at = r."postedAt",
         updated_at = $2::timestamptz, version = u.version + 1
       from $rows where u.id = r.id`,
      [now],
    );
    describe(unit, 'NoticeUpdate', { created: [], changed }, ({ content }) => ({ content }));
  });
}

const periodShape = `id int, component int, state text, "beganAt" timestamptz, "endedAt" timestamptz`;

export async function writePeriods(
  unit: Unit,
  target: Target,
  plan: KindPlan<PeriodRow>,
  ended: readonly number[],
): Promise<void> {
  const { em } = unit;
  if (ended.length) {
    await query(em, 'delete from manual_status where id = any($1::int[])', [ended]);
    await query(em, `delete from import_source where page_id = $1 and kind = 'period' and record_id = any($2::int[])`, [
      target.pageId,
      ended,
    ]);
  }
  await writeKind(unit, 'period', target, plan, async ({ created, changed }) => {
    const toRow = ({ row, id }: Identified<PeriodRow>) => ({
      ...row,
      id,
      component: target.componentIds.get(row.componentId),
    });
    await run(
      em,
      periodShape,
      [...created, ...changed].map(toRow),
      `insert into manual_status as stored (id, page_id, component_id, state, began_at, ended_at)
       select id, $2, component, state, "beganAt", "endedAt" from $rows
       on conflict (id) do update set state = excluded.state, ended_at = excluded.ended_at`,
      [target.pageId],
    );
  });
}

/** Describes what is written for the audit log. */
function describe<Row>(
  unit: Unit,
  record: string,
  { created, changed }: Written<Row>,
  select: (row: Row) => Record<string, string | null>,
): void {
  const list = [...created, ...changed].flatMap(({ id, row }) =>
    Object.entries(select(row)).map(([field, after]) => ({ record, recordId: String(id), field, before: null, after })),
  );
  unit.describeChanges(list.filter(({ after }) => after !== null));
}
