import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { RequiresAccess } from '../../auth/access.js';
import { ComputedField } from '../../records/computed-field.js';
import { defineRules } from '../../records/record-rules.js';
import { InverseReference } from '../../records/inverse-relation.js';
import { Timestamped, TimestampColumn } from '../../core/timestamped.entity.js';
import { Timestamp } from '../../core/scalars.js';
import { Page } from '../page.entity.js';

@ObjectType({ implements: Timestamped, description: 'The uploaded HTML and CSS of a page.' })
@Entity({ tableName: 'theme' })
export class Theme extends Timestamped {
  static readonly rules = defineRules<Theme>({ recordName: 'theme' });

  @OneToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  @InverseReference(
    Page,
    'theme',
    RequiresAccess('viewer'),
    Field(() => Theme, {
      nullable: true,
      description: 'The uploaded theme. Null if the page uses the standard theme.',
    }),
  )
  page!: Page;

  @Field(() => ID, { description: 'The id of its page.' })
  @ComputedField<Theme>(record => `${record.page}`, 'text')
  id!: string;

  /** The ZIP file as it was uploaded. */
  @Property({ type: 'blob' })
  archive!: Buffer;

  @NullableField(
    () => Timestamp,
    'When the theme began to fail. Until it renders again, the page uses the standard theme. Null while it renders.',
  )
  @TimestampColumn({ nullable: true })
  failingSince: Date | null = null;

  @NullableField(() => String, 'Why the theme fails, with file and line where known. Null while it renders.')
  @Property({ type: 'text', nullable: true })
  failure: string | null = null;
}
