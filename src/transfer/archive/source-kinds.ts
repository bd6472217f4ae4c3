import { z } from 'zod';
import { alertActions, groupStates, ruleLimits } from '../../alerts/alert.rules.js';
import { AlertSource } from '../../alerts/alert-source.entity.js';
import { fieldLimits } from '../../alerts/formats/custom.js';
import { maxAlerts } from '../../alerts/formats/format.js';
import { openSql } from '../../notices/notice.states.js';
import { trackedKinds } from '../importers/source-ids.js';
import { describeEntity } from './entity-kind.js';
import { counter, flag, id, type Kind, pageId, text, time } from './kind.js';

/** SQL: the id of a record of the page, if there is one. Ids of deleted records are given to others later. */
const recordOfPage = (recordId: string) => `case k.kind
  when 'component' then (select t.id from component t where t.id = ${recordId} and t.page_id = k.page_id)
  when 'notice' then (select t.id from notice t where t.id = ${recordId} and t.page_id = k.page_id)
  when 'period' then (select t.id from manual_status t where t.id = ${recordId} and t.page_id = k.page_id)
  when 'recurrence' then (select t.id from recurrence t where t.id = ${recordId} and t.page_id = k.page_id)
  when 'update' then (select t.id from notice_update t join notice n on n.id = t.notice_id
    where t.id = ${recordId} and n.page_id = k.page_id) end`;

const alertRule = z.strictObject({
  label: text.max(ruleLimits.textLength).nullable(),
  value: text.max(ruleLimits.textLength).nullable(),
  componentIds: text.array().max(ruleLimits.components),
  templateId: text.nullable(),
  action: z.enum(alertActions),
  shouldResolve: flag,
});

const shortText = text.max(fieldLimits.length);
const path = shortText.nullable();
const alertFields = z.strictObject({
  alerts: path,
  title: shortText,
  text: path,
  state: path,
  key: path,
  group: path,
  service: path,
  startsAt: path,
  firingStates: shortText.array().max(fieldLimits.states),
  resolvedStates: shortText.array().max(fieldLimits.states),
  labels: z.strictObject({ name: shortText, path: shortText }).array().max(fieldLimits.labels),
});

const alert = z.strictObject({ fingerprint: text, status: z.enum(['firing', 'resolved']), line: text });

/** Without them a monitor that sends its alerts again would open a second incident. */
const alertGroups: Kind = {
  table: 'alert_group',
  description: 'Groups of alerts of which a notice was published that is open, or whose alerts still fire.',
  fields: {
    page_id: pageId,
    source_id: id,
    key: text,
    title: text,
    state: z.enum(groupStates),
    received_count: counter,
    first_received_at: time,
    last_received_at: time,
    starts_at: time.nullable(),
    notice_id: id,
    alerts: {
      schema: z.array(alert).max(maxAlerts),
      read: `(select coalesce(json_agg(json_build_object('fingerprint', a.fingerprint, 'status', a.status,
        'line', a.line) order by a.fingerprint collate "C"), '[]') from alert a where a.group_id = k.id)`,
      write: '',
    },
  },
  order: 'k.source_id, k.key collate "C"',
  where: () => `k.page_id = any($1) and exists (
    select from notice n where n.id = k.notice_id and n.page_id = k.page_id
      and (k.state = 'open' or ${openSql('n.state')}))`,
  // New ids: nothing else in an archive refers to them.
  insert: `
    with records as materialized (
      select nextval('alert_group_id_seq') as id, record from json_array_elements($1::json) record
    ), inserted as (
      insert into alert_group (id, page_id, source_id, key, title, state, received_count, first_received_at,
        last_received_at, starts_at, notice_id)
      select r.id, k.page_id, k.source_id, k.key, k.title, k.state, k.received_count, k.first_received_at,
        k.last_received_at, k.starts_at, k.notice_id
      from records r cross join lateral json_populate_record(null::alert_group, r.record) k
      where k.page_id = any($2::text[])
        and exists (select from alert_source s where s.id = k.source_id and s.page_id = k.page_id)
        and exists (select from notice n where n.id = k.notice_id and n.page_id = k.page_id)
      returning id
    ), inserted_alerts as (
      insert into alert (group_id, fingerprint, status, line)
      select i.id, k.fingerprint, k.status, k.line
      from inserted i join records r on r.id = i.id
        cross join lateral json_populate_recordset(null::alert, r.record -> 'alerts') k
    )
    select count(*)::integer as rows from inserted`,
};

export const sourceKinds: Record<string, Kind> = {
  'alert-sources': describeEntity(AlertSource, {
    description: 'Sources of alerts with their rules, without what gives access to them.',
    fields: { rules: alertRule.array().max(ruleLimits.rules), fields: alertFields.nullable().default(null) },
    runs: [['last_four', 'fields']],
    // No token has this hash.
    defaults: { hash: `replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')` },
  }),
  'alert-groups': alertGroups,
  'import-sources': {
    table: 'import_source',
    description:
      'The ids that imported records have at the product they came from. `record_id` is null: deleted since.',
    fields: {
      page_id: pageId,
      source: text,
      kind: z.enum(trackedKinds),
      source_id: text,
      record_id: {
        schema: id.nullable(),
        read: recordOfPage('k.record_id'),
        // No record has the id 0.
        write: `coalesce(${recordOfPage("(r.record ->> 'record_id')::integer")}, 0)`,
      },
      fingerprint: text,
    },
    order: 'k.page_id, k.source collate "C", k.kind collate "C", k.source_id collate "C"',
    references: { page_id: 'pages' },
  },
};
