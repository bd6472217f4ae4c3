import { Migration } from '@mikro-orm/migrations';

/** What DNS was last found to say of a claimed domain, when it is asked again, and for whom a domain that was given up is kept. */
export class DomainProof extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

// biome-ignore format: one statement a line
const statements = [
  `alter table "custom_domain" add column "proof_token" text not null default replace(gen_random_uuid()::text, '-', ''), add column "missing_since" timestamptz(3) null, add column "next_check_at" timestamptz(3) not null default now(), add column "checked_at" timestamptz(3) null, add column "finding" text null, add column "finding_text" text null, add column "cnames_found" text[] not null default '{}', add column "texts_found" text[] not null default '{}'`,
  `alter table "custom_domain" alter column "proof_token" drop default, alter column "next_check_at" drop default`,
  `create index "custom_domain_next_check_at_index" on "custom_domain" ("next_check_at")`,
  `create table "domain_reservation" ("domain" text not null, "page_id" text not null, "until" timestamptz(3) not null, primary key ("domain"))`,
  `create index "domain_reservation_page_id_index" on "domain_reservation" ("page_id")`,
  `alter table "domain_reservation" add constraint "domain_reservation_page_id_foreign" foreign key ("page_id") references "page" ("id") on update no action on delete cascade`,
];
