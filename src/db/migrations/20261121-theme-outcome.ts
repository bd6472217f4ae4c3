import { Migration } from '@mikro-orm/migrations';

/** Whether the page can be drawn in its theme. */
export class ThemeOutcome extends Migration {
  override up(): void {
    this.addSql(`alter table "theme" add column "failing_since" timestamptz(3) null, add column "failure" text null`);
  }
}
