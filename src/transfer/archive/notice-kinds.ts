import { z } from 'zod';
import { Component } from '../../components/component.entity.js';
import { ManualStatus } from '../../components/manual-status.entity.js';
import { manualStatuses } from '../../components/manual-status.rules.js';
import { formatNames } from '../../components/upstream/formats.js';
import { Upstream } from '../../components/upstream/upstream.entity.js';
import { upstreamStatuses } from '../../components/upstream/upstream.rules.js';
import { openSql, plannedStates, unplannedStates } from '../../notices/notice.states.js';
import { announcedAsSql } from '../../notifications/find-event.js';
import { NoticeComponent } from '../../notices/notice-component.entity.js';
import { Notice } from '../../notices/notice.entity.js';
import { NoticeTemplate } from '../../notices/templates/template.entity.js';
import { NoticeUpdateRevision } from '../../notices/updates/update-revision.entity.js';
import { NoticeUpdate } from '../../notices/updates/update.entity.js';
import { actorKinds } from '../../people/actor.fields.js';
import { Metric } from '../../pages/metrics/metric.entity.js';
import { describeEntity } from './entity-kind.js';
import { id, type Kind, metadata, pageId, templateId, text, time } from './kind.js';
import { reminder } from './page-kinds.js';

const upstreamStatus = z.enum(upstreamStatuses);

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
  components: describeEntity(Component, {
    description: 'Components. Parents come before their children.',
    fields: { metadata },
    order: `${depth}, k.id`,
  }),
  'manual-statuses': describeEntity(ManualStatus, {
    description: 'Statuses that people set components to. `ended_at` is null while one holds.',
    fields: { state: z.enum(manualStatuses) },
  }),
  upstreams: describeEntity(Upstream, {
    description: 'Which components of other status pages components follow, and what those said last.',
    fields: { url: z.url({ protocol: /^https?$/ }), format: z.enum(formatNames), state: upstreamStatus },
    omitted: ['failure'],
  }),
  'upstream-periods': {
    table: 'upstream_period',
    description: 'What upstreams said before, where that was not operational.',
    fields: { page_id: pageId, component_id: id, state: upstreamStatus, began_at: time, ended_at: time },
    order: 'k.component_id, k.began_at',
    references: { page_id: 'pages', component_id: 'components' },
  },
  metrics: describeEntity(Metric, {
    description: 'Metrics.',
    fields: { color: z.string().regex(/^#[0-9a-fA-F]{6}$/), decimal_places: z.int().min(0).max(5), metadata },
  }),
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
  notices: describeEntity(Notice, {
    description:
      'Incidents, maintenances and announcements. `owner` is the address of a person, `announced_as` the state that ' +
      'was announced last of one that is open.',
    fields: {
      path: z.string().regex(/^[a-z0-9]{16}(-[a-z0-9-]{1,100})?$/),
      reminder: reminder.nullable(),
      metadata,
      announced_as: {
        schema: z.enum([...unplannedStates, ...plannedStates, 'announced']).nullable(),
        // The next message about one that is over announces no beginning.
        read: `case when k.state is null or ${openSql('k.state')} then ${announcedAsSql} end`,
        write: `r.record ->> 'announced_as'`,
      },
      owner: {
        schema: text.nullable(),
        column: 'owner_id',
        read: '(select p.email from person p where p.id = k.owner_id and p.disabled_at is null)',
        write: personByAddress('owner'),
      },
    },
    omitted: ['last_update_by', 'owner_id', 'silent_until'],
    required: ['state', 'begin_armed', 'complete_armed', 'last_should_publish', 'named_components'],
    runs: [
      ['synopsis', 'state'],
      ['last_should_publish', 'path', 'tag_list', 'named_components', 'reminder'],
      ['reminder', 'next_update_by', 'last_update_at', 'stale_reminders'],
    ],
  }),
  updates: describeEntity(NoticeUpdate, {
    description: 'The updates of notices, in Markdown.',
    runs: [['content', 'should_publish', 'state', 'kind', 'posted_at']],
  }),
  'update-revisions': describeEntity(NoticeUpdateRevision, {
    description: 'Earlier texts of updates.',
    fields: { replaced_by_kind: z.enum(actorKinds) },
  }),
  'notice-components': describeEntity(NoticeComponent, {
    description: 'The components that notices name, with the impact on each.',
    order: 'k.notice_id, k.component_id',
  }),
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
  templates: describeEntity(NoticeTemplate, {
    description: 'Templates of notices.',
    runs: [['initial_comment', 'component_id']],
    order: 'k.id collate "C"',
  }),
  'template-components': {
    table: 'notice_template_component',
    description: 'The components that templates name.',
    fields: { template_id: templateId, component_id: id },
    order: 'k.template_id collate "C", k.component_id',
    references: { template_id: 'templates', component_id: 'components' },
  },
};
