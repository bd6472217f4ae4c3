import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { NullableField } from '../../graphql/nullable-field.js';
import { AuditEntry } from './audit-entry.entity.js';
import { InverseCollection } from '../../records/inverse-relation.js';

@ObjectType({
  description:
    'A changed field of a record. Of a long text the first 10,000 characters, of a secret only that it changed.',
})
@Index({ name: 'audit_change_entry_id_index', properties: ['entry'] })
@Entity({ tableName: 'audit_change' })
export class AuditChange {
  @Field(() => ID, { description: 'Its id.' })
  @PrimaryKey({ type: 'bigint' })
  id!: string;

  /** Without a constraint, whose check doubles the time of an insertion: one statement inserts entry and changes. */
  @ManyToOne(() => AuditEntry, { createForeignKeyConstraint: false })
  @InverseCollection(
    AuditEntry,
    'changes',
    Field(() => [AuditChange], {
      description: 'The changed fields. Empty for an operation that changes none.',
    }),
  )
  entry!: AuditEntry;

  @Field(() => String, { description: 'The type of the record.' })
  @Property({ type: 'text' })
  record!: string;

  @Field(() => String, { description: 'The id of the record.' })
  @Property({ type: 'text' })
  recordId!: string;

  @Field(() => String, { description: 'The name of the field.' })
  @Property({ type: 'text' })
  field!: string;

  @NullableField(() => String, 'The value before, lists as JSON. Null: none, or a new record.')
  @Property({ type: 'text', nullable: true })
  before: string | null = null;

  @NullableField(() => String, 'The value after. Null: none, or a deleted record.')
  @Property({ type: 'text', nullable: true })
  after: string | null = null;
}
