import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Json } from '../core/scalars.js';
import { Timestamped } from '../core/timestamped.entity.js';
import { registerEnum } from '../graphql/enum.js';
import { Notice } from '../notices/notice.entity.js';
import type { PreviewVerb } from '../notifications/preview/preview.verbs.js';
import { Page } from '../pages/page.entity.js';
import { ComputedField } from '../records/computed-field.js';
import { defineRules } from '../records/record-rules.js';

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

@ObjectType({
  implements: Timestamped,
  description: 'A change that is prepared and not published: the input of a mutation.',
})
@Entity({ tableName: 'draft' })
export class Draft extends Timestamped {
  static readonly rules = defineRules<Draft>({
    recordName: 'draft',
    isPageContent: true,
    // Newest first.
    order: [{ field: 'id', direction: 'desc' }],
  });

  @Field(() => ID, { description: 'Unique among all drafts; a later one is greater.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Field(() => Page, { description: 'The page it belongs to.' })
  @ManyToOne(() => Page, { deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @Field(() => Notice, { nullable: true, description: 'The notice that it changes; null for a new one.' })
  @ManyToOne(() => Notice, { nullable: true, deleteRule: 'cascade', updateRule: 'no action' })
  notice: Notice | null = null;

  @Field(() => DraftVerbs, { description: 'The mutation that it is for.' })
  @Property({ type: 'text' })
  verb!: PreviewVerb;

  @Field(() => Json, {
    description: 'The `input` of `saveDraft`, to be continued: an object with the fields of `PreviewPublicationInput`.',
  })
  @Property({ type: 'json' })
  input!: Record<string, unknown>;

  @Field(() => String, { nullable: true, description: 'Its subject. Null if it has none.' })
  @ComputedField<Draft>(draft => `${draft.input} #>> array[${draft.verb}, 'subject']`, 'text')
  subject!: string | null;

  @Field(() => String, { nullable: true, description: 'Its text, as Markdown. Null if it has none.' })
  @ComputedField<Draft>(draft => `${draft.input} #>> array[${draft.verb}, 'content']`, 'text')
  content!: string | null;

  /** Of who saved it last: see `Unit.actor`. */
  @Property({ type: 'text' })
  authorKey!: string;

  @Field(() => String, {
    description: 'Who saved it last: the e-mail address of a person, or the label and id of a token.',
  })
  @ComputedField<Draft>(
    ({ authorKey }) =>
      `coalesce((select p.email from person p where 'person ' || p.id = ${authorKey}), ` +
      `(select t.label || ' (' || t.id || ')' from token t where t.id::text = ${authorKey}), ${authorKey})`,
    'text',
  )
  author!: string;
}
