import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Stamped } from '../db/stamped.entity.js';
import { Page } from './page.entity.js';

@ObjectType({ implements: Stamped, description: 'The uploaded HTML and CSS of a page.' })
@Entity({ tableName: 'theme' })
export class Theme extends Stamped {
  static readonly word = 'theme';

  @OneToOne(() => Page, { primary: true, deleteRule: 'cascade', updateRule: 'no action' })
  page!: Page;

  /** The ZIP file as it was uploaded. */
  @Property({ type: 'blob' })
  archive!: Buffer;
}
