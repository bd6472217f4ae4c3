import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Derived } from '../records/computed-field.js';
import { Stamped, TimestampColumn } from '../db/timestamped.entity.js';
import { Timestamp } from '../graphql/scalars.js';
import { Page } from '../pages/page.entity.js';

@ObjectType({ implements: Stamped, description: 'The uploaded HTML and CSS of a page.' })
@Entity({ tableName: 'theme' })
export class Theme extends Stamped {
  static readonly word = 'theme';

  @OneToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  @Field(() => ID, { description: 'The id of its page.' })
  @Derived<Theme>(record => `${record.page}`, 'text')
  id!: string;

  /** The ZIP file as it was uploaded. */
  @Property({ type: 'blob' })
  archive!: Buffer;

  @Field(() => Timestamp, {
    nullable: true,
    description:
      'Since when the page cannot be drawn in the theme, and wears the standard one instead; null while all is well.',
  })
  @TimestampColumn({ nullable: true })
  failingSince: Date | null = null;

  @Field(() => String, {
    nullable: true,
    description:
      'Why the page cannot be drawn in the theme, with the template where it is known; null while all is well.',
  })
  @Property({ type: 'text', nullable: true })
  failure: string | null = null;
}
