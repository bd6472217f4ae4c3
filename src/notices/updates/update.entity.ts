import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { ComputedWithParent } from '../../records/computed-field.js';
import { defineRules } from '../../records/record-rules.js';
import { Timestamp } from '../../core/scalars.js';
import { Timestamped, TimestampColumn } from '../../core/timestamped.entity.js';
import { RequiresAccess } from '../../auth/access.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { RenderedField } from '../../graphql/entity-field-decorators.js';
import { toPlainText } from '../../content/markdown/plain-text.js';
import { noticeUrlSql } from '../../pages/public-url.js';
import { Notice } from '../notice.entity.js';
import { NoticeStates, UpdateKinds } from '../notice.enums.js';
import type { NoticeState, UpdateKind } from '../notice.states.js';
import { renderWithMount, withMountSql } from './content-html.js';

@ObjectType({ implements: Timestamped, description: 'A message posted on a notice.' })
@Index({ name: 'notice_update_notice_id_posted_at_id_index', properties: ['notice', 'postedAt', 'id'] })
@Entity({ tableName: 'notice_update' })
export class NoticeUpdate extends Timestamped {
  static readonly rules = defineRules<NoticeUpdate>({
    recordName: 'update',
    isPageContent: true,
    order: [
      { field: 'postedAt', direction: 'asc' },
      { field: 'id', direction: 'asc' },
    ],
  });

  @Field(() => ID, { description: 'Unique among all updates. Those that are created later have greater ids.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @RequiresAccess('page')
  @Field(() => Notice, { description: 'The notice it belongs to.' })
  @ManyToOne(() => Notice, { deleteRule: 'cascade', updateRule: 'no action' })
  notice!: Notice;

  @Field(() => String, { description: 'The text, in Markdown.' })
  @Property({ type: 'text' })
  content!: string;

  @ComputedWithParent<NoticeUpdate, Notice>('notice', ({ content }, { page }) => withMountSql(content, page), 'text')
  readonly contentWithMount?: string;

  @RenderedField('contentWithMount', renderWithMount, 'The text as HTML, sanitized, as the public page shows it.')
  readonly contentHtml?: string;

  @RenderedField('content', toPlainText, 'The text without markup.')
  readonly contentText?: string;

  @Field(() => UpdateKinds, { description: 'What it is: an entry of the timeline, or the post-mortem.' })
  @Property({ type: 'text', default: 'update' })
  kind: Opt<UpdateKind> = 'update';

  @Field(() => Timestamp, {
    description: 'When it was posted: when it was created, or earlier if it was back-dated. Updates are in this order.',
  })
  @TimestampColumn()
  postedAt!: Date;

  @NullableField(
    () => NoticeStates,
    'The state of the notice once the update was posted; it never changes. Null for general notices.',
  )
  @Property({ type: 'text', nullable: true })
  state: NoticeState | null = null;

  @Field(() => Boolean, { description: 'Whether the update was sent through the channels.' })
  @Property({ type: 'boolean', default: false, fieldName: 'should_publish' })
  isPublished: Opt<boolean> = false;

  @NullableField(() => Timestamp, 'When its text was last edited. Null: never.')
  @TimestampColumn({ nullable: true })
  editedAt: Date | null = null;

  @Field(() => String, {
    description: 'The permanent URL of the update on the public page: the link of its notice, and `#update-<id>`.',
  })
  @ComputedWithParent<NoticeUpdate, Notice>(
    'notice',
    (update, notice) => `${noticeUrlSql(notice)} || '#update-' || ${update.id}`,
    'text',
  )
  link!: string;
}
