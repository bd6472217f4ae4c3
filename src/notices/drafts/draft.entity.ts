import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Timestamp } from '../../core/scalars.js';
import { Timestamped, TimestampColumn } from '../../core/timestamped.entity.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { registerEnum } from '../../graphql/enum.js';
import { Component } from '../../components/component.entity.js';
import { StoredInputField } from '../../graphql/stored-input.js';
import { NoticeChangeInput } from '../../notifications/preview/preview.inputs.js';
import { Notice } from '../notice.entity.js';
import { NoticeTemplate } from '../templates/template.entity.js';
import { actorKindSql, actorLabelSql } from '../../notifications/actor-label.js';
import { type Actor, ActorField } from '../../people/actor.fields.js';
import type { PreviewVerb } from '../../notifications/preview/preview.verbs.js';
import { BelongsToPage } from '../../pages/belongs-to-page.entity.js';
import type { Page } from '../../pages/page.entity.js';
import { ComputedField } from '../../records/computed-field.js';
import { defineRules } from '../../records/record-rules.js';

const DraftVerbs = registerEnum(
  'DraftVerb',
  {
    openIncident: 'A new incident.',
    scheduleMaintenance: 'A new maintenance.',
    announce: 'A new announcement.',
    advanceNotice: 'The next state of a notice.',
    updateNotice: 'A change of a notice.',
    createNoticeUpdate: 'An update of a notice.',
  } satisfies Record<PreviewVerb, string>,
  'The mutation that a draft is for.',
);

const actorSql = (key: string) => ({ kind: actorKindSql(key), label: actorLabelSql(key) });

@ObjectType({
  implements: Timestamped,
  description: 'A change that is prepared and not published: the input of a mutation.',
})
@Index({ name: 'draft_notice_id_index', properties: ['notice'] })
@Index({ name: 'draft_page_id_id_index', properties: ['page', 'id'] })
@Index({
  name: 'draft_publish_at_index',
  expression: 'create index draft_publish_at_index on draft (publish_at) where publish_at is not null',
})
@Entity({ tableName: 'draft' })
export class Draft extends Timestamped {
  static readonly rules = defineRules<Draft>({
    recordName: 'draft',
    isPageContent: true,
    unversioned: ['isErrorReported'],
    // Newest first.
    order: [{ field: 'id', direction: 'desc' }],
  });

  @Field(() => ID, { description: 'Unique among all drafts; a later one is greater.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @BelongsToPage('drafts', 'drafter', () => Draft, 'The drafts, newest first.')
  page!: Page;

  @NullableField(() => Notice, 'The notice that it changes; null for a new one.')
  @ManyToOne(() => Notice, { nullable: true, deleteRule: 'cascade', updateRule: 'no action' })
  notice: Notice | null = null;

  @Field(() => DraftVerbs, { description: 'The mutation that it is for.' })
  @Property({ type: 'text' })
  verb!: PreviewVerb;

  @StoredInputField(() => NoticeChangeInput, {
    description: 'The change, to be continued: the `input` of `saveDraft`.',
    records: { component: () => Component, template: () => NoticeTemplate },
    isDraft: true,
  })
  @Property({ type: 'json' })
  change!: Record<string, unknown>;

  @NullableField(() => String, 'Its subject. Null if it has none.')
  @ComputedField<Draft>(draft => `${draft.change} #>> array[${draft.verb}, 'subject']`, 'text')
  subject!: string | null;

  @NullableField(() => String, 'Its text, as Markdown. Null if it has none.')
  @ComputedField<Draft>(draft => `${draft.change} #>> array[${draft.verb}, 'content']`, 'text')
  content!: string | null;

  /** Of who saved it last: see `Unit.actor`. */
  @Property({ type: 'text' })
  authorKey!: string;

  @ActorField<Draft>(({ authorKey }) => actorSql(authorKey), { description: 'Who saved it last.' })
  author?: Actor;

  @NullableField(() => Timestamp, 'When it is published by itself. Null: it is published by hand.')
  @TimestampColumn({ nullable: true })
  publishAt: Date | null = null;

  /** Of the preview that was confirmed when it was scheduled. */
  @Property({ type: 'text', nullable: true })
  previewHash: string | null = null;

  /** Of who scheduled it, in whose name it is published. Kept after a failure, for the report. */
  @Property({ type: 'text', nullable: true })
  schedulerKey: string | null = null;

  @ActorField<Draft>(({ schedulerKey }) => actorSql(schedulerKey), {
    nullable: true,
    description: 'Who scheduled it, and is named as the one who publishes it. Null: it was not scheduled.',
  })
  scheduledBy?: Actor | null;

  @NullableField(
    () => String,
    'Why it was not published at its time. Null: it has not failed since it was last saved or scheduled.',
  )
  @Property({ type: 'text', nullable: true, fieldName: 'publish_error' })
  failure: string | null = null;

  /** Whether the one who scheduled it was sent a mail about the error. */
  @Property({ type: 'boolean', default: false })
  isErrorReported: Opt<boolean> = false;
}
