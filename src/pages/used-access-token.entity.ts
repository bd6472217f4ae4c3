import { Entity, Index, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';

/** A signed token that counts once, and was used: until it would expire. */
@Entity({ tableName: 'used_access_token' })
export class UsedAccessToken {
  @PrimaryKey({ type: 'text' })
  hash!: string;

  @Index()
  @TimestampColumn()
  expiresAt!: Date;
}
