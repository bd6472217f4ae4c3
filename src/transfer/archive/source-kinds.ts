import { z } from 'zod';
import { alertActions, ruleLimits } from '../../alerts/alert.rules.js';
import { AlertSource } from '../../alerts/alert-source.entity.js';
import { fieldLimits } from '../../alerts/formats/custom.js';
import { trackedKinds } from '../importers/source-ids.js';
import { describeEntity } from './entity-kind.js';
import { flag, id, type Kind, pageId, text } from './kind.js';

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

export const sourceKinds: Record<string, Kind> = {
  'alert-sources': describeEntity(AlertSource, {
    description: 'Sources of alerts with their rules, without what gives access to them.',
    fields: { rules: alertRule.array().max(ruleLimits.rules), fields: alertFields.nullable().default(null) },
    runs: [['last_four', 'fields']],
    // No token has this hash.
    defaults: { hash: `replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')` },
  }),
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
