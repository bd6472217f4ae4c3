import { Migration } from '@mikro-orm/migrations';

/** Who left before each of their addresses had a mark of its own. */
export class Marks extends Migration {
  override up(): void {
    this.addSql(`with parted as (
      update "subscriber" s set "phone_number" = null from "subscriber" before
      where before."id" = s."id" and s."unsubscribed_at" is not null and s."email" is not null and s."phone_number" is not null returning before.*
    )
    insert into "subscriber" ("page_id", "phone_number", "consent_source", "confirmed_at", "unsubscribed_at", "created_at", "updated_at")
    select "page_id", "phone_number", "consent_source", "confirmed_at", "unsubscribed_at", "created_at", "updated_at" from parted`);
  }
}
