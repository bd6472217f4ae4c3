import { Migration } from '@mikro-orm/migrations';

/** What is told, to whom, and how that went. */
export class Ledger extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

// biome-ignore format: one statement a line
const statements = [
  `create table "publication" ("id" serial primary key, "page_id" text not null, "notice_id" int not null, "update_id" int null, "notice_type" text not null, "event" text not null, "made_by" text not null, "picture" jsonb not null, "scope" int[] null, "created_at" timestamptz(3) not null, "spread_through" int not null default 0, "spread_at" timestamptz(3) null)`,
  `create index "publication_unspread_index" on "publication" ("id") where spread_at is null`,
  `create index "publication_notice_id_created_at_index" on "publication" ("notice_id", "created_at")`,
  `create index "publication_page_id_id_index" on "publication" ("page_id", "id")`,
  `create table "delivery" ("id" serial primary key, "page_id" text not null, "publication_id" int not null, "notice_id" int not null, "channel" text not null, "recipient_key" text not null, "subscriber_id" int null, "address" text not null, "state" text not null default 'pending', "reason" text null, "tries" int not null default 0, "created_at" timestamptz(3) not null, "queued_at" timestamptz(3) not null, "due_at" timestamptz(3) not null, "lease" uuid null, "leased_until" timestamptz(3) null, "worker" text null, "message_id" text not null, "thread" text null, "sent_at" timestamptz(3) null)`,
  `create index "delivery_dead_index" on "delivery" ("page_id", "id") where state = 'dead'`,
  `create index "delivery_lease_index" on "delivery" ("leased_until") where state = 'sending'`,
  `create index "delivery_retry_index" on "delivery" ("due_at") where state = 'retrying'`,
  `create index "delivery_fresh_index" on "delivery" ("page_id", "id") where state = 'pending'`,
  `create index "delivery_open_index" on "delivery" ("notice_id", "channel", "recipient_key") where state in ('pending', 'sending', 'retrying')`,
  `create index "delivery_address_index" on "delivery" ("page_id", lower("address"))`,
  `create index "delivery_page_id_id_index" on "delivery" ("page_id", "id")`,
  `alter table "delivery" add constraint "delivery_publication_id_channel_recipient_key_unique" unique ("publication_id", "channel", "recipient_key")`,
  `create table "attempt" ("id" serial primary key, "delivery_id" int not null, "at" timestamptz(3) not null, "outcome" text not null, "answer" text not null)`,
  `create index "attempt_delivery_id_index" on "attempt" ("delivery_id")`,
  `alter table "page" add "reminder" text not null default 'none'`,
  `alter table "notice" add "reminder" text null`,
  `create index "notice_reminder_index" on "notice" ("begins_at") where state = 'scheduled' and last_should_publish`,
  `alter table "publication" add constraint "publication_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
  `alter table "delivery" add constraint "delivery_publication_id_foreign" foreign key ("publication_id") references "publication" ("id") on update no action on delete cascade`,
  `alter table "attempt" add constraint "attempt_delivery_id_foreign" foreign key ("delivery_id") references "delivery" ("id") on update no action on delete cascade`,
];
