import { z } from 'zod';
import { manualStates } from '../../components/manual-state.rules.js';
import { formatNames } from '../../components/upstream/formats.js';
import { upstreamStates } from '../../components/upstream/upstream.rules.js';
import { impacts } from '../../notices/impact.rules.js';
import { noticeTypes, plannedStates, unplannedStates } from '../../notices/notice.states.js';
import { flag, id, integer, type Kind, pageId, templateId, text, time, timestamps } from './kind.js';
import { reminder } from './page-kinds.js';

const noticeState = z.enum([...unplannedStates, ...plannedStates]).nullable();

/** SQL: how many ancestors a component has. Parents come before their children. */
const depth = `(
  with recursive above as (
    select k.parent_id as id
    union select c.parent_id from component c join above a on c.id = a.id)
  select count(id) from above)`;

/** SQL: the person with the address in a field; null if there is none. */
const personByAddress = (field: string) =>
  `(select p.id from person p where lower(p.email) = lower(r.record ->> '${field}') and p.disabled_at is null)`;

/** SQL: the address of the person who made the deadline `k`, or to whom the token belongs that did. */
export const deadlineMakerSql = `
  select p.id from person p
  where p.disabled_at is null
    and ('person ' || p.id = k.made_by or p.id = (select t.person_id from token t where t.id::text = k.made_by))`;

export const noticeKinds: Record<string, Kind> = {
  components: {
    table: 'component',
    description: 'Components. Parents come before their children.',
    fields: {
      id,
      ...timestamps,
      page_id: pageId,
      state: z.enum(['operational', 'degraded', 'partially-degraded']),
      name: text,
      description: text.nullable(),
      position: integer,
      parent_id: id.nullable(),
    },
    order: `${depth}, k.id`,
    references: { page_id: 'pages', parent_id: 'components' },
  },
  'manual-states': {
    table: 'manual_state',
    description: 'States that people set components to. `ended_at` is null while one holds.',
    fields: {
      id,
      page_id: pageId,
      component_id: id,
      state: z.enum(manualStates),
      note: text.nullable(),
      began_at: time,
      ended_at: time.nullable(),
    },
    order: 'k.id',
    references: { page_id: 'pages', component_id: 'components' },
  },
  upstreams: {
    table: 'upstream',
    description: 'Which components of other status pages components follow, and what those said last.',
    fields: {
      id,
      page_id: pageId,
      component_id: id,
      url: z.url({ protocol: /^https?$/ }),
      format: z.enum(formatNames),
      remote_id: text,
      remote_name: text,
      state: z.enum(upstreamStates),
      began_at: time,
      answered_at: time,
    },
    order: 'k.id',
    references: { page_id: 'pages', component_id: 'components' },
  },
  'upstream-periods': {
    table: 'upstream_period',
    description: 'What upstreams said before, where that was not operational.',
    fields: { page_id: pageId, component_id: id, state: z.enum(upstreamStates), began_at: time, ended_at: time },
    order: 'k.component_id, k.began_at',
    references: { page_id: 'pages', component_id: 'components' },
  },
  metrics: {
    table: 'metric',
    description: 'Metrics.',
    fields: {
      id,
      ...timestamps,
      page_id: pageId,
      name: text,
      unit: text,
      color: z.string().regex(/^#[0-9a-fA-F]{6}$/),
      decimal_places: z.int().min(0).max(5),
    },
    order: 'k.id',
    references: { page_id: 'pages' },
  },
  'metric-values': {
    table: 'metric_bucket',
    description: 'The values of metrics, by 5 minutes and by hour.',
    fields: {
      metric_id: id,
      seconds: z.literal([300, 3_600]),
      began_at: time,
      sum: z.number(),
      count: z.int().min(1),
      min: z.number(),
      max: z.number(),
    },
    order: 'k.metric_id, k.seconds, k.began_at',
    references: { metric_id: 'metrics' },
  },
  notices: {
    table: 'notice',
    description: 'Incidents, maintenances and announcements. `owner` is the address of a person.',
    fields: {
      id,
      ...timestamps,
      page_id: pageId,
      type: z.enum(noticeTypes),
      subject: text,
      synopsis: text,
      state: noticeState,
      begins_at: time.nullable(),
      ends_at: time.nullable(),
      began_at: time.nullable(),
      ended_at: time.nullable(),
      should_automate_schedule: flag,
      begin_armed: flag,
      complete_armed: flag,
      last_should_publish: flag,
      path: z.string().regex(/^[a-z0-9]{16}(-[a-z0-9-]{1,100})?$/),
      tag_list: z.array(text),
      named_components: flag,
      reminder: reminder.nullable(),
      next_update_by: time.nullable(),
      last_update_at: time.nullable(),
      stale_reminders: integer,
      owner: {
        schema: text.nullable(),
        column: 'owner_id',
        read: '(select p.email from person p where p.id = k.owner_id and p.disabled_at is null)',
        write: personByAddress('owner'),
      },
    },
    order: 'k.id',
    references: { page_id: 'pages' },
  },
  updates: {
    table: 'notice_update',
    description: 'The updates of notices, in Markdown.',
    fields: {
      id,
      ...timestamps,
      notice_id: id,
      content: text,
      should_publish: flag,
      state: noticeState,
      kind: z.enum(['update', 'postmortem']),
      posted_at: time,
      edited_at: time.nullable(),
    },
    order: 'k.id',
    references: { notice_id: 'notices' },
  },
  'update-revisions': {
    table: 'notice_update_revision',
    description: 'Earlier texts of updates.',
    fields: { id, update_id: id, content: text, state: noticeState, replaced_at: time, replaced_by: text },
    order: 'k.id',
    references: { update_id: 'updates' },
  },
  'notice-components': {
    table: 'notice_component',
    description: 'The components that notices name, with the impact on each.',
    fields: { notice_id: id, component_id: id, impact: z.enum(impacts) },
    order: 'k.notice_id, k.component_id',
    references: { notice_id: 'notices', component_id: 'components' },
  },
  'next-update-deadlines': {
    table: 'next_update_deadline',
    description: 'By when next updates were due. `made_by` is the address of a person; null: a token.',
    fields: {
      page_id: pageId,
      notice_id: id,
      made_by: {
        schema: text.nullable(),
        read: `(select email from person where id = (${deadlineMakerSql}))`,
        write: `coalesce('person ' || ${personByAddress('made_by')}, 'import')`,
      },
      due_at: time,
      settled_at: time.nullable(),
      reminded_at: time.nullable(),
    },
    order: 'k.notice_id, k.due_at, k.settled_at, k.id',
    references: { page_id: 'pages', notice_id: 'notices' },
  },
  templates: {
    table: 'notice_template',
    description: 'Templates of notices.',
    fields: {
      id: templateId,
      ...timestamps,
      page_id: pageId,
      name: text,
      subject: text.nullable(),
      initial_comment: text.nullable(),
      component_id: id.nullable(),
      type: z.enum(noticeTypes).nullable(),
      state: noticeState,
    },
    order: 'k.id collate "C"',
    references: { page_id: 'pages', component_id: 'components' },
  },
  'template-components': {
    table: 'notice_template_component',
    description: 'The components that templates name.',
    fields: { template_id: templateId, component_id: id },
    order: 'k.template_id collate "C", k.component_id',
    references: { template_id: 'templates', component_id: 'components' },
  },
};
