import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Stamped } from '../db/timestamped.entity.js';
import { Notice } from './notice.entity.js';

@ObjectType({ implements: Stamped, description: 'One of the texts by which a notice is told.' })
@Entity({ tableName: 'notice_update' })
@Index({ properties: ['notice', 'id'] })
export class NoticeUpdate extends Stamped {
  static readonly word = 'update';

  @Field(() => ID, { description: 'Unique among all updates; a later one is greater.' })
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @ManyToOne(() => Notice, { deleteRule: 'cascade', updateRule: 'no action', index: false })
  notice!: Notice;

  @Field(() => String, { description: 'Markdown, as it was written.' })
  @Property({ type: 'text' })
  content!: string;

  @Field(() => Boolean, { description: 'Whether the update was sent out through the channels.' })
  @Property({ type: 'boolean', default: false })
  shouldPublish: Opt<boolean> = false;
}
