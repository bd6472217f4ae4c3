import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { RequiresAccess } from '../../auth/access.js';
import { Timestamp } from '../../core/scalars.js';
import { TimestampColumn } from '../../core/timestamped.entity.js';
import { NullableField } from '../../graphql/nullable-field.js';
import { RenderedField } from '../../graphql/entity-field-decorators.js';
import { type Actor, ActorField } from '../../people/actor.fields.js';
import { ComputedWithParent } from '../../records/computed-field.js';
import { toPlainText } from '../../content/markdown/plain-text.js';
import { defineRules } from '../../records/record-rules.js';
import { TypicalSize } from '../../graphql/connection-field.js';
import { InverseCollection } from '../../records/inverse-relation.js';
import { NoticeStates } from '../notice.enums.js';
import type { NoticeState } from '../notice.states.js';
import { renderWithMount, withMountSql } from './content-html.js';
import { NoticeUpdate } from './update.entity.js';

@ObjectType({ description: 'An earlier text of an update, which an edit replaced.' })
@Index({ name: 'notice_update_revision_update_id_id_index', properties: ['update', 'id'] })
@Entity({ tableName: 'notice_update_revision' })
export class NoticeUpdateRevision {
  static readonly rules = defineRules<NoticeUpdateRevision>({
    isPageContent: true,
    // Newest first.
    order: [{ field: 'id', direction: 'desc' }],
  });

  @Field(() => ID, { description: 'Unique among all revisions; a later one is greater.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => NoticeUpdate, { deleteRule: 'cascade', updateRule: 'no action' })
  @InverseCollection(
    NoticeUpdate,
    'revisions',
    RequiresAccess('page'),
    TypicalSize(2),
    Field(() => [NoticeUpdateRevision], {
      description:
        'Its earlier texts, newest first. Empty if it was not edited, or only before an upgrade to this version.',
    }),
  )
  update!: NoticeUpdate;

  @Field(() => String, { description: 'The text, in Markdown.' })
  @Property({ type: 'text' })
  content!: string;

  @ComputedWithParent<NoticeUpdateRevision, NoticeUpdate>(
    'update',
    ({ content }, { notice }) => withMountSql(content, `(select page_id from notice where id = ${notice})`),
    'text',
  )
  readonly contentWithMount?: string;

  @RenderedField('contentWithMount', renderWithMount, 'The text as HTML, sanitized, as the public page shows it.')
  readonly contentHtml?: string;

  @RenderedField('content', toPlainText, 'The text without markup.')
  readonly contentText?: string;

  @NullableField(() => NoticeStates, 'The state of the update. Null for general notices.')
  @Property({ type: 'text', nullable: true })
  state: NoticeState | null = null;

  @Field(() => Timestamp, { description: 'When an edit replaced it.' })
  @TimestampColumn()
  replacedAt!: Date;

  /** One of `ActorKinds`. */
  @Property({ type: 'text', default: 'automation', fieldName: 'replaced_by_kind' })
  editorKind!: string;

  /** The address of the person, or label and id of the token. */
  @Property({ type: 'text', fieldName: 'replaced_by' })
  editorLabel!: string;

  @RequiresAccess('viewer')
  @ActorField<NoticeUpdateRevision>(({ editorKind, editorLabel }) => ({ kind: editorKind, label: editorLabel }), {
    description: 'Who replaced it.',
  })
  replacedBy?: Actor;
}
