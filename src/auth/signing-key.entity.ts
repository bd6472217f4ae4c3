import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { TimestampColumn } from '../core/timestamped.entity.js';

/** A secret of the whole service, generated once and stored here, so that all processes share it. */
@Entity({ tableName: 'signing_key' })
export class SigningKey {
  /** The purpose. */
  @PrimaryKey({ type: 'text' })
  name!: string;

  /** 256 random bits, base64url. */
  @Property({ type: 'text' })
  secret!: string;

  @TimestampColumn()
  createdAt!: Date;
}
