import { Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../db/timestamped.entity.js';

/** A bearer credential, known by its hash alone. */
@Entity({ tableName: 'token' })
export class Token {
  @PrimaryKey({ type: 'integer' })
  id!: number;

  /** For whoever lists the tokens. */
  @Property({ type: 'text' })
  label!: string;

  /** SHA-256, hexadecimal. The credential has 256 random bits, so that no slow hash is needed. */
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
