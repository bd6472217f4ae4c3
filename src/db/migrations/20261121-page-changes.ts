import { Migration } from '@mikro-orm/migrations';

/** By what a process hears of the pages that others changed. */
export class PageChanges extends Migration {
  override up(): void {
    this.addSql(
      `create table "page_change" ("transaction" xid8 not null default pg_current_xact_id(), "page_id" text not null, "created_at" timestamptz(3) not null, primary key ("transaction", "page_id"))`,
    );
    this.addSql(`create index "page_change_created_at_index" on "page_change" ("created_at")`);
  }
}
