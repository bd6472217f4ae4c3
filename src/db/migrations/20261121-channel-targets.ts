import { Migration } from '@mikro-orm/migrations';

/** Where the chat and social channels of a page lead, and how the last test of each channel went. */
export class ChannelTargets extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

// biome-ignore format: one statement a line
const statements = [
  `create table "channel_target" ("page_id" text not null, "channel" text not null, "target" jsonb null, "tested_at" timestamptz(3) null, "test_outcome" text null, "test_answer" text null, primary key ("page_id", "channel"))`,
  `alter table "channel_target" add constraint "channel_target_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
];
