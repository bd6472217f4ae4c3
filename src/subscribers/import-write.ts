import { query } from '../db/prepared-statements.js';
import { liftSuspensionOf } from '../notifications/delivery/suspension.js';
import { compareRecords } from '../records/audited-changes.js';
import type { Unit } from '../records/unit.js';
import type { ClassifiedRows } from './import-classifier.js';
import type { ImportRow } from './import-row.js';

const recordset = `jsonb_to_recordset($1::jsonb) as r (id int, email text, "phoneNumber" text,
  "firstName" text, "lastName" text, nickname text, company text,
  "tagList" text[], kinds text[], "componentIds" int[], "consentSource" text, "consentedAt" timestamptz)`;
const values = `r.email, r."phoneNumber", r."firstName", r."lastName", r.nickname, r.company,
  r."tagList", r.kinds, cardinality(r."componentIds") > 0, r."consentSource"`;
const names =
  'email, phone_number, first_name, last_name, nickname, company, tag_list, kinds, chose_components, consent_source';

/** Writes classified rows to a page that is locked. */
export async function writeSubscribers(
  unit: Unit,
  pageId: string,
  { added, renewed, replaced }: ClassifiedRows,
): Promise<void> {
  const { em, now } = unit;
  const before = await readRows(unit, [...replaced, ...renewed.map(({ id }) => id)]);
  if (replaced.length || renewed.length) {
    await query(em, 'delete from subscriber where id = any($1::int[])', [replaced]);
    await query(em, 'delete from subscriber_component where subscriber_id = any($1::int[])', [
      renewed.map(({ id }) => id),
    ]);
    await query(
      em,
      `update subscriber s set (${names}, confirmed_at, unsubscribed_at, chosen_at, updated_at, version, link_version) =
         (${values}, coalesce(r."consentedAt", $2::timestamptz), null, $2::timestamptz, $2::timestamptz,
          s.version + 1, s.link_version + 1)
       from ${recordset} where s.id = r.id`,
      [JSON.stringify(renewed), now],
    );
    await liftSuspensionOf(
      em,
      renewed.map(({ id }) => id),
    );
  }
  const inserted = await query<{ id: number; email: string | null; phone: string | null }>(
    em,
    `insert into subscriber (page_id, ${names}, confirmed_at, created_at, updated_at)
     select $2, ${values}, coalesce(r."consentedAt", $3::timestamptz), coalesce(r."consentedAt", $3::timestamptz),
       $3::timestamptz from ${recordset}
     returning id, email, phone_number as phone`,
    [JSON.stringify(added), pageId, now],
  );
  const ids = new Map(inserted.map(({ id, email, phone }) => [JSON.stringify([email, phone]), id]));
  const rows = [
    ...added.map(row => ({ ...row, id: ids.get(JSON.stringify([row.email, row.phoneNumber]))! })),
    ...renewed,
  ];
  const compared = [
    ...rows.map(({ id, ...after }) => ({ id, before: before.get(id) ?? {}, after: toLogged(after) })),
    ...replaced.map(id => ({ id, before: before.get(id) ?? {}, after: {} })),
  ];
  unit.describeChanges(compareRecords('Subscriber', compared));
  const choices = rows.flatMap(({ id, componentIds }) => componentIds.map(component => [id, component] as const));
  await query(
    em,
    'insert into subscriber_component (subscriber_id, component_id) select * from unnest($1::int[], $2::int[])',
    [choices.map(([id]) => id), choices.map(([, component]) => component)],
  );
}

type LoggedFields = Partial<Record<keyof ImportRow, unknown>>;

/** The fields of subscribers before an import changes or deletes them, by id. */
async function readRows({ em }: Unit, ids: readonly number[]): Promise<Map<number, LoggedFields>> {
  if (!ids.length) return new Map();
  const rows = await query<LoggedFields & { id: number }>(
    em,
    `select id, email, phone_number as "phoneNumber", first_name as "firstName", last_name as "lastName", nickname,
       company, tag_list as "tagList", kinds, consent_source as "consentSource",
       array(select component_id from subscriber_component where subscriber_id = s.id order by 1) as "componentIds"
     from subscriber s where id = any($1::int[])`,
    [ids],
  );
  return new Map(rows.map(({ id, ...fields }) => [id, toLogged(fields)]));
}

/** Without what is not stored and what has no value, so that the log of a long list is no longer than the list. */
const toLogged = (fields: LoggedFields): LoggedFields =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) =>
        !['line', 'weight'].includes(name) && value !== null && !(Array.isArray(value) && !value.length),
    ),
  );
