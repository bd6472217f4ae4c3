import { Migration } from '@mikro-orm/migrations';

/** What subscribing on the public page needs: the key of signed links, what was asked for and by whom, codes for phones, and of what somebody wants to hear. */
export class People extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

// biome-ignore format: one statement a line
const statements = [
  `create table "signing_key" ("name" text not null, "secret" text not null, "created_at" timestamptz(3) not null, primary key ("name"))`,
  `alter table "subscriber" add column "kinds" text[] not null default '{unplanned,planned,general}', add column "link_version" int not null default 1`,
  `create table "subscription_request" ("id" serial primary key, "page_id" text not null, "way" text not null, "recipient" text not null, "caller" text not null, "sent" boolean not null, "created_at" timestamptz(3) not null)`,
  `create index "subscription_request_recipient_created_at_index" on "subscription_request" ("recipient", "created_at")`,
  `create index "subscription_request_caller_created_at_index" on "subscription_request" ("caller", "created_at")`,
  `create index "subscription_request_page_id_created_at_index" on "subscription_request" ("page_id", "created_at")`,
  `alter table "subscription_request" add constraint "subscription_request_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
  `create table "phone_code" ("page_id" text not null, "phone_number" text not null, "hash" text not null, "tries" int not null default 0, "expires_at" timestamptz(3) not null, primary key ("page_id", "phone_number"))`,
  `alter table "phone_code" add constraint "phone_code_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
];
