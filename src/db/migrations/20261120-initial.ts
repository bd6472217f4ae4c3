import { Migration } from '@mikro-orm/migrations';

/** The first form of all tables. One list of migrations serves the embedded database and PostgreSQL: plain SQL, no extension. */
export class Initial extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

// biome-ignore format: one statement a line
const statements = [
  `create table "idempotent_answer" ("id" text not null, "fingerprint" text not null, "status" int not null, "headers" jsonb not null, "body" text not null, "created_at" timestamptz(3) not null, primary key ("id"))`,
  `create index "idempotent_answer_created_at_index" on "idempotent_answer" ("created_at")`,
  `create table "page" ("id" text not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "name" text not null, "timezone" text not null default 'UTC', "support_email" text null, "support_telephone" text null, "support_url" text null, "visible_to_search" boolean not null default true, "meta_title" text null, "meta_description" text null, "vendor_analytics_id" text null, "timeline_threshold" int not null default 259200, "timeline_sort_order" text not null default 'asc', "locale" text not null default 'en', "email_switch" boolean not null default true, "sms_switch" boolean not null default true, "chat_a_switch" boolean not null default true, "chat_b_switch" boolean not null default true, "social_switch" boolean not null default true, primary key ("id"))`,
  `create table "notice" ("id" serial primary key, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "page_id" text not null, "type" text not null, "subject" text not null, "synopsis" text not null default '', "state" text null, "begins_at" timestamptz(3) null, "ends_at" timestamptz(3) null, "began_at" timestamptz(3) null, "ended_at" timestamptz(3) null, "should_automate_schedule" boolean not null default false, "begin_armed" boolean not null default false, "complete_armed" boolean not null default false, "last_should_publish" boolean not null default false, "path" text not null, "tag_list" text[] not null default '{}', "named_components" boolean not null default false)`,
  `create index "notice_complete_due_index" on "notice" ("ends_at") where complete_armed`,
  `create index "notice_begin_due_index" on "notice" ("begins_at") where begin_armed`,
  `create index "notice_present_index" on "notice" ("page_id") where state in ('investigating', 'identified', 'recovering', 'underway')`,
  `create index "notice_page_id_id_index" on "notice" ("page_id", "id")`,
  `create table "notice_update" ("id" serial primary key, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "notice_id" int not null, "content" text not null, "should_publish" boolean not null default false)`,
  `create index "notice_update_notice_id_id_index" on "notice_update" ("notice_id", "id")`,
  `create table "custom_domain" ("page_id" text not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "domain" text not null, "claimed_at" timestamptz(3) not null, "verified_at" timestamptz(3) null, primary key ("page_id"))`,
  `create unique index "custom_domain_verified_unique" on "custom_domain" ("domain") where verified_at is not null`,
  `create table "component" ("id" serial primary key, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "page_id" text not null, "state" text not null default 'operational', "name" text not null, "description" text null, "position" int not null, "parent_id" int null)`,
  `create index "component_parent_id_index" on "component" ("parent_id")`,
  `create index "component_page_id_position_id_index" on "component" ("page_id", "position", "id")`,
  `create table "notice_template" ("id" text not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "page_id" text not null, "name" text not null, "subject" text null, "initial_comment" text null, "component_id" int null, primary key ("id"))`,
  `create index "notice_template_component_id_index" on "notice_template" ("component_id")`,
  `create index "notice_template_page_id_created_at_id_index" on "notice_template" ("page_id", "created_at", "id")`,
  `create table "notice_component" ("notice_id" int not null, "component_id" int not null, primary key ("notice_id", "component_id"))`,
  `create index "notice_component_component_id_index" on "notice_component" ("component_id")`,
  `create table "brand" ("page_id" text not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "color_state_ok" text not null default '#27ae60', "color_state_warning" text not null default '#e67e22', "color_navbar_background" text not null default 'rgba(0,0,0,0.01)', "color_navbar_links" text not null default '#2c3e50', "color_navbar_button_background" text not null default '#2980b9', "color_header_background" text not null default '#F7F8F9', "color_header_links" text not null default '#2980b9', "color_header_text" text not null default '#2c3e50', "color_body_background" text not null default '#FFFFFF', "color_body_links" text not null default '#2980b9', "color_body_text" text not null default '#2c3e50', primary key ("page_id"))`,
  `create table "subscriber" ("id" serial primary key, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "page_id" text not null, "email" text null, "phone_number" text null, "first_name" text null, "last_name" text null, "nickname" text null, "company" text null, "tag_list" text[] not null default '{}', "chose_components" boolean not null default false, "confirmed_at" timestamptz(3) null, "unsubscribed_at" timestamptz(3) null, "consent_source" text not null)`,
  `create unique index "subscriber_phone_unique" on "subscriber" ("page_id", "phone_number")`,
  `create unique index "subscriber_email_unique" on "subscriber" ("page_id", lower("email"))`,
  `create index "subscriber_page_id_id_index" on "subscriber" ("page_id", "id")`,
  `create table "subscriber_component" ("subscriber_id" int not null, "component_id" int not null, primary key ("subscriber_id", "component_id"))`,
  `create index "subscriber_component_component_id_index" on "subscriber_component" ("component_id")`,
  `create table "theme" ("page_id" text not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "version" int not null default 1, "archive" bytea not null, primary key ("page_id"))`,
  `create table "token" ("id" serial primary key, "label" text not null, "hash" text not null, "scope" text not null, "created_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null)`,
  `alter table "token" add constraint "token_hash_unique" unique ("hash")`,
  `alter table "notice" add constraint "notice_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
  `alter table "notice_update" add constraint "notice_update_notice_id_foreign" foreign key ("notice_id") references "notice" ("id") on update no action on delete cascade`,
  `alter table "custom_domain" add constraint "custom_domain_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
  `alter table "component" add constraint "component_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
  `alter table "component" add constraint "component_parent_id_foreign" foreign key ("parent_id") references "component" ("id") on update no action on delete set null`,
  `alter table "notice_template" add constraint "notice_template_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
  `alter table "notice_template" add constraint "notice_template_component_id_foreign" foreign key ("component_id") references "component" ("id") on update no action on delete set null`,
  `alter table "notice_component" add constraint "notice_component_notice_id_foreign" foreign key ("notice_id") references "notice" ("id") on update no action on delete cascade`,
  `alter table "notice_component" add constraint "notice_component_component_id_foreign" foreign key ("component_id") references "component" ("id") on update no action on delete cascade`,
  `alter table "brand" add constraint "brand_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
  `alter table "subscriber" add constraint "subscriber_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
  `alter table "subscriber_component" add constraint "subscriber_component_subscriber_id_foreign" foreign key ("subscriber_id") references "subscriber" ("id") on update no action on delete cascade`,
  `alter table "subscriber_component" add constraint "subscriber_component_component_id_foreign" foreign key ("component_id") references "component" ("id") on update no action on delete cascade`,
  `alter table "theme" add constraint "theme_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
];
