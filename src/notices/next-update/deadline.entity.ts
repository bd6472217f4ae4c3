import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../../core/timestamped.entity.js';
import { Notice } from '../notice.entity.js';

/** By when the next update of a notice is due, which the update settles. No client reads it: see `UpdatePromises`. */
@Entity({ tableName: 'next_update_deadline' })
@Index({ properties: ['notice'] })
@Index({ properties: ['pageId', 'dueAt'] })
@Index({
  name: 'next_update_deadline_due_index',
  expression:
    'create index "next_update_deadline_due_index" on "next_update_deadline" ("due_at") ' +
    'where settled_at is null and reminded_at is null',
})
export class NextUpdateDeadline {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  @Property({ type: 'text' })
  pageId!: string;

  @ManyToOne(() => Notice, { deleteRule: 'cascade', updateRule: 'no action', index: false })
  notice!: Notice;

  /** The key of the caller: `person <id>`, or the id of a token. */
  @Property({ type: 'text' })
  madeBy!: string;

  @TimestampColumn()
  dueAt!: Date;

  /** When the next update was posted. */
  @TimestampColumn({ nullable: true })
  settledAt: Date | null = null;

  /** When its author was reminded, or would have been if there was an address. */
  @TimestampColumn({ nullable: true })
  remindedAt: Date | null = null;

  /** The publication of the reminder. */
  @Property({ type: 'integer', nullable: true })
  reminderId: number | null = null;
}
