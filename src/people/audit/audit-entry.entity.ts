import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Node } from '../../core/node.entity.js';
import { Timestamp } from '../../core/scalars.js';
import { TimestampColumn } from '../../core/timestamped.entity.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { registerEnum } from '../../graphql/enum.js';
import { Page } from '../../pages/page.entity.js';
import { ComputedField } from '../../records/computed-field.js';
import { defineRules } from '../../records/record-rules.js';
import { type Actor, ActorField } from '../actor.fields.js';

const Interfaces = registerEnum(
  'AuditInterface',
  {
    console: 'In a browser, by the session of a person: the console, the sign-in page or the GraphQL editor.',
    graphql: 'By /graphql, with a token.',
    v1: 'By /v1.',
    cli: 'By the command line.',
    automation: 'By the service itself, on schedule.',
  },
  'How a change was made.',
);

/** Those whose ids `subjectLabelSql` reads as numbers. */
export const numberedSubjects = [
  'Person',
  'Component',
  'Notice',
  'NoticeUpdate',
  'Metric',
  'AlertSource',
  'Recurrence',
];

/**
 * SQL: what the subject of an entry is called: of people the address. Null: it is deleted, or has no name. The ids in
 * an entry that was imported may be those of other records here, so only records of its page have a name.
 */
export const subjectLabelSql = (subject: string, subjectId: string, pageId: string): string => `case ${subject}
  when 'Person' then (select p.email from person p where p.id = ${subjectId}::integer)
  when 'Page' then (select p.name from page p where p.id = ${subjectId} and p.id = coalesce(${pageId}, p.id))
  when 'Component' then (select c.name from component c where c.id = ${subjectId}::integer and c.page_id = ${pageId})
  when 'Notice' then (select n.subject from notice n where n.id = ${subjectId}::integer and n.page_id = ${pageId})
  when 'NoticeUpdate' then (select n.subject from notice_update u join notice n on n.id = u.notice_id
    where u.id = ${subjectId}::integer and n.page_id = ${pageId})
  when 'NoticeTemplate' then (select t.name from notice_template t where t.id = ${subjectId} and t.page_id = ${pageId})
  when 'Metric' then (select m.name from metric m where m.id = ${subjectId}::integer and m.page_id = ${pageId})
  when 'AlertSource' then (select s.name from alert_source s
    where s.id = ${subjectId}::integer and s.page_id = ${pageId})
  when 'Recurrence' then (select r.subject from recurrence r
    where r.id = ${subjectId}::integer and r.page_id = ${pageId})
end`;

/** Inserted by the transaction of the change (db/audit.ts). Nothing updates it. */
@ObjectType({ implements: Node, description: 'What one transaction wrote: an entry of the audit log.' })
@Index({ name: 'audit_entry_at_index', properties: ['recordedAt'] })
@Index({ name: 'audit_entry_page_id_id_index', properties: ['page', 'id'] })
@Entity({ tableName: 'audit_entry' })
export class AuditEntry {
  static readonly rules = defineRules<AuditEntry>({
    recordName: 'audit entry',
    limitToPages: ({ page }, pages) => `${page} = any(${pages})`,
    order: [{ field: 'id', direction: 'desc' }],
  });

  @Field(() => ID, { description: 'Unique among all entries; a later one is greater.' })
  @PrimaryKey({ type: 'bigint' })
  id!: string;

  @NullableField(() => Page, 'That page. Null: no single page, or it is deleted.')
  @ManyToOne(() => Page, { nullable: true, createForeignKeyConstraint: false })
  page?: Page | null;

  @NullableField(() => ID, 'The page, which may have been deleted since. Null: no single page.')
  @Property({ type: 'text', persist: false, nullable: true, fieldName: 'page_id' })
  pageId: string | null = null;

  @Field(() => Timestamp, { description: 'When it was written, just before the commit.' })
  @TimestampColumn({ fieldName: 'at' })
  recordedAt!: Date;

  /** One of `ActorKinds`. */
  @Property({ type: 'text', fieldName: 'actor_kind' })
  storedKind!: string;

  /** The address of the person, label and id of the token, or the kind. */
  @Property({ type: 'text', fieldName: 'actor' })
  storedLabel!: string;

  @ActorField<AuditEntry>(({ storedKind, storedLabel }) => ({ kind: storedKind, label: storedLabel }), {
    description: 'Who made the change.',
  })
  actor?: Actor;

  @Field(() => Interfaces, { description: 'How the change was made.' })
  @Property({ type: 'text' })
  interface!: string;

  @Field(() => String, {
    description: 'The mutation, or the name of the command or automation. /v1 runs mutations, too.',
  })
  @Property({ type: 'text' })
  operation!: string;

  @NullableField(() => String, 'The type of the record that it is about. Null: it has none.')
  @Property({ type: 'text', nullable: true })
  subject: string | null = null;

  @NullableField(() => String, 'The id of that record. Null: it has none.')
  @Property({ type: 'text', nullable: true })
  subjectId: string | null = null;

  /** Those who may read an entry about a person own the page of the role that it is about, or all pages. */
  @NullableField(
    () => String,
    'What that record is called now: the address of a person, the subject of a notice, of which an update has that ' +
      'too, and the name of a page, component or template. Null: it is deleted, or has no name.',
  )
  @ComputedField<AuditEntry>(({ subject, subjectId, page }) => subjectLabelSql(subject, subjectId, page), 'text')
  subjectLabel!: string | null;

  @NullableField(
    () => String,
    'The `X-Request-Id` of the request, or the id that the service gave it, as in its log. Null: no request.',
  )
  @Property({ type: 'text', nullable: true })
  requestId: string | null = null;

  @NullableField(() => ID, 'The publication that notifies of the change. Null: nobody is notified.')
  @Property({ type: 'integer', nullable: true })
  publicationId: number | null = null;
}
