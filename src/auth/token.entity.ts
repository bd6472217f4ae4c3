import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';

/** A bearer credential; only its hash is stored. */
@Entity({ tableName: 'token' })
export class Token {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  /** A name for the operator, shown in the list of tokens. */
  @Property({ type: 'text' })
  label!: string;

  /** SHA-256, hexadecimal. The credential has 256 random bits, so it needs no slow hash. */
  @Unique()
  @Property({ type: 'text' })
  hash!: string;

  @Property({ type: 'text' })
  scope!: 'read' | 'write';

  @TimestampColumn()
  createdAt!: Date;

  @TimestampColumn({ nullable: true })
  revokedAt: Date | null = null;
}
