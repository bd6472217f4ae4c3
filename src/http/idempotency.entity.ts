import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../db/timestamped.entity.js';

/** The first answer to a POST that carried an Idempotency-Key, kept for 24 hours. */
@Entity({ tableName: 'idempotent_answer' })
export class IdempotentAnswer {
  /** The caller's key, the path and the Idempotency-Key, hashed: counted within one token and path. */
  @PrimaryKey({ type: 'text' })
  id!: string;

  /** Of the merged parameters. */
  @Property({ type: 'text' })
  fingerprint!: string;

  @Property({ type: 'integer' })
  status!: number;

  @Property({ type: 'json' })
  headers!: Record<string, string>;

  @Property({ type: 'text' })
  body!: string;

  @Index()
  @TimestampColumn()
  createdAt!: Date;
}
