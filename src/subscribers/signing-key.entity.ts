import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../db/timestamped.entity.js';

/** A secret of the whole service, made once and kept here so that every process, on every machine, has the same. */
@Entity({ tableName: 'signing_key' })
export class SigningKey {
  /** What it signs. */
  @PrimaryKey({ type: 'text' })
  name!: string;

  /** 256 random bits, base64url. */
  @Property({ type: 'text' })
  secret!: string;

  @TimestampColumn()
  createdAt!: Date;
}
