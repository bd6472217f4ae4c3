import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';

/** The first response to a POST that carried an Idempotency-Key, stored for 24 hours. */
@Entity({ tableName: 'idempotent_response' })
export class IdempotentResponse {
  /** Hash of the caller's key, the path and the Idempotency-Key: a key is unique within one token and path. */
  @PrimaryKey({ type: 'text' })
  id!: string;

  /** Hash of the merged parameters. */
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
