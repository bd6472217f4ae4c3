import { z } from 'zod';
import { trackedKinds } from '../importers/source-ids.js';
import { id, type Kind, pageId, text } from './kind.js';

/** SQL: the id of a record of the page, if there is one. Ids of deleted records are given to others later. */
const recordOfPage = (recordId: string) => `case k.kind
  when 'component' then (select t.id from component t where t.id = ${recordId} and t.page_id = k.page_id)
  when 'notice' then (select t.id from notice t where t.id = ${recordId} and t.page_id = k.page_id)
  when 'period' then (select t.id from manual_state t where t.id = ${recordId} and t.page_id = k.page_id)
  when 'update' then (select t.id from notice_update t join notice n on n.id = t.notice_id
    where t.id = ${recordId} and n.page_id = k.page_id) end`;

export const sourceKinds: Record<string, Kind> = {
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
