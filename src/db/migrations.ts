import { Migration } from '@mikro-orm/migrations';
import { initialSchema } from './migrations/20261120-initial.js';
import { updateState } from './migrations/20261122-update-state.js';
import { noticeIndexes } from './migrations/20261122-notice-indexes.js';

/** A migration of plain SQL, without extensions, so that it runs on the embedded database and on PostgreSQL. */
const sqlMigration = (name: string, statements: readonly string[]) => ({
  name,
  class: class extends Migration {
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  },
});

/**
 * In the order in which they run; the table `migration` stores their names. A few statements stand here; more get a
 * file in `migrations/`. The list is explicit, since `dist` may still hold files that the source no longer has.
 */
export const migrations = [
  sqlMigration('20261120-initial', initialSchema),
  // A busy service uses up the 2,147,483,647 ids of an integer column.
  sqlMigration('20261122-ledger-ids', [
    'alter table delivery alter column id type bigint',
    'alter table attempt alter column id type bigint, alter column delivery_id type bigint',
    'alter sequence delivery_id_seq as bigint',
    'alter sequence attempt_id_seq as bigint',
  ]),
  sqlMigration('20261122-update-state', updateState),
  sqlMigration('20261122-change-count', [
    'alter table page add column change_count int not null default 0',
    'alter table page_change add column change_count int',
  ]),
  sqlMigration('20261122-notice-indexes', noticeIndexes),
  sqlMigration('20261122-delivery-subscriber', [
    'create index delivery_subscriber_index on delivery (subscriber_id, id) where subscriber_id is not null',
  ]),
  // The address first: a page id alone finds all subscribers of the page, which a planner with old statistics takes for
  // one. See subscribers/import-holders.ts.
  sqlMigration('20261122-subscriber-addresses', [
    'drop index subscriber_email_unique',
    'create unique index subscriber_email_unique on subscriber (lower(email), page_id)',
    'drop index subscriber_phone_unique',
    'create unique index subscriber_phone_unique on subscriber (phone_number, page_id)',
  ]),
  // Existing tokens keep their rights: scope read reads everything, scope write owns all pages.
  sqlMigration('20261122-token-roles', [
    "alter table token add column role text not null default 'owner', add column page_ids text[]",
    'alter table token add column reads_everything boolean not null default false',
    "update token set role = 'viewer', reads_everything = true where scope = 'read'",
    'alter table token alter column role drop default, drop column scope',
  ]),
  sqlMigration('20261122-token-lifetimes', [
    'alter table token add column prefix text, add column last_four text',
    'alter table token add column expires_at timestamptz(3), add column last_used_at timestamptz(3)',
  ]),
  sqlMigration('20261122-impacts', [
    "alter table notice_component add column impact text not null default 'degraded'",
    'alter table page add column show_uptime boolean not null default true',
  ]),
  sqlMigration('20261122-brand-images', [
    `create table brand_image (
      page_id text not null, role text not null,
      format text not null, hash text not null, width int not null, height int not null,
      content bytea not null, png bytea,
      constraint brand_image_pkey primary key (page_id, role),
      constraint brand_image_page_id_foreign foreign key (page_id) references page (id)
        on update no action on delete cascade)`,
  ]),
  sqlMigration('20261122-recipient-refusals', [
    `create table recipient_refusals (
       id serial primary key, page_id text not null, channel text not null, subscriber_id int, address text not null,
       count int not null, response text not null, suspended_at timestamptz(3), reported_at timestamptz(3))`,
    `alter table recipient_refusals
       add constraint recipient_refusals_page_id_foreign foreign key (page_id) references page (id) on delete cascade,
       add constraint recipient_refusals_subscriber_id_foreign
         foreign key (subscriber_id) references subscriber (id) on delete cascade`,
    `create unique index recipient_refusals_unique
       on recipient_refusals (page_id, channel, (coalesce(subscriber_id, 0)))`,
    'create index recipient_refusals_subscriber_id_index on recipient_refusals (subscriber_id)',
  ]),
  // No foreign key to the page: the log outlives it.
  sqlMigration('20261122-audit-log', [
    `create table audit_entry (
      id bigserial primary key, page_id text, at timestamptz(3) not null, actor_kind text not null, actor text not null,
      interface text not null, operation text not null, subject text, subject_id text, request_id text,
      publication_id int)`,
    'create index audit_entry_page_id_id_index on audit_entry (page_id, id)',
    'create index audit_entry_at_index on audit_entry (at)',
    `create table audit_change (
      id bigserial primary key, entry_id bigint not null
        constraint audit_change_entry_id_foreign references audit_entry (id) on delete cascade,
      record text not null, record_id text not null, field text not null, before text, after text)`,
    'create index audit_change_entry_id_index on audit_change (entry_id)',
  ]),
  sqlMigration('20261122-people', [
    `create table person (
      id serial primary key, email text not null, created_at timestamptz(3) not null, disabled_at timestamptz(3))`,
    'create unique index person_email_unique on person (lower(email))',
    `create table membership (
      id serial primary key,
      person_id int not null constraint membership_person_id_foreign references person (id) on delete cascade,
      page_id text constraint membership_page_id_foreign references page (id) on delete cascade, role text not null)`,
    "create unique index membership_unique on membership (person_id, (coalesce(page_id, '')))",
    'create index membership_page_id_index on membership (page_id)',
    `create table session (
      id serial primary key,
      person_id int not null constraint session_person_id_foreign references person (id) on delete cascade,
      hash text not null constraint session_hash_unique unique,
      user_agent text not null, created_at timestamptz(3) not null, last_seen_at timestamptz(3) not null,
      revoked_at timestamptz(3))`,
    'create index session_person_id_index on session (person_id)',
    `create table sign_in_link (
      hash text primary key,
      person_id int not null constraint sign_in_link_person_id_foreign references person (id) on delete cascade,
      expires_at timestamptz(3) not null)`,
    'create index sign_in_link_person_id_index on sign_in_link (person_id)',
  ]),
  sqlMigration('20261122-update-kind', [
    "alter table notice_update add column posted_at timestamptz(3), add column kind text not null default 'update'",
    'update notice_update set posted_at = created_at',
    'alter table notice_update alter column posted_at set not null',
  ]),
  sqlMigration('20261122-template-components', [
    'alter table notice_template add column type text, add column state text',
    `create table notice_template_component (
       template_id text not null, component_id int not null, primary key (template_id, component_id))`,
    `alter table notice_template_component
       add constraint notice_template_component_template_id_foreign
         foreign key (template_id) references notice_template (id) on delete cascade,
       add constraint notice_template_component_component_id_foreign
         foreign key (component_id) references component (id) on delete cascade`,
    'create index notice_template_component_component_id_index on notice_template_component (component_id)',
    `insert into notice_template_component
       select id, component_id from notice_template where component_id is not null`,
  ]),
  sqlMigration('20261122-publication-holds', [
    'alter table page add column hold_seconds int not null default 10',
    'alter table publication add column held_until timestamptz(3), add column stopped_at timestamptz(3)',
  ]),
  sqlMigration('20261122-email-codes', [
    `create table email_code (
      id serial primary key, email text not null, network text not null,
      person_id int constraint email_code_person_id_foreign references person (id) on delete cascade,
      hash text not null, tries int not null default 0,
      created_at timestamptz(3) not null, expires_at timestamptz(3) not null)`,
    'create index email_code_email_index on email_code (email)',
    'create index email_code_network_index on email_code (network)',
    'create index email_code_person_id_index on email_code (person_id)',
  ]),
  sqlMigration('20261122-personal-tokens', [
    `alter table token
       add column person_id int constraint token_person_id_foreign references person (id) on delete cascade,
       add column maker_id int constraint token_maker_id_foreign references token (id) on delete set null`,
    'create index token_person_id_index on token (person_id)',
    'create index token_maker_id_index on token (maker_id)',
  ]),
  sqlMigration('20261122-passkeys', [
    `create table passkey (
      id serial primary key,
      person_id int not null constraint passkey_person_id_foreign references person (id) on delete cascade,
      credential_id text not null constraint passkey_credential_id_unique unique,
      public_key bytea not null, counter bigint not null, transports text[] not null, name text not null,
      is_backed_up boolean not null, created_at timestamptz(3) not null, last_used_at timestamptz(3))`,
    'create index passkey_person_id_index on passkey (person_id)',
    `create table passkey_challenge (
      hash text primary key,
      person_id int constraint passkey_challenge_person_id_foreign references person (id) on delete cascade,
      expires_at timestamptz(3) not null)`,
    'create index passkey_challenge_person_id_index on passkey_challenge (person_id)',
    'create index passkey_challenge_expires_at_index on passkey_challenge (expires_at)',
  ]),
  sqlMigration('20261122-identities', [
    `create table identity (
      issuer text not null, subject text not null,
      person_id int not null constraint identity_person_id_foreign references person (id) on delete cascade,
      created_at timestamptz(3) not null, constraint identity_pkey primary key (issuer, subject))`,
    'create index identity_person_id_index on identity (person_id)',
    `create table identity_request (
      hash text primary key, state text not null, nonce text not null, code_verifier text not null,
      return_to text not null, expires_at timestamptz(3) not null)`,
    'create index identity_request_expires_at_index on identity_request (expires_at)',
    'alter table membership add column is_mapped boolean not null default false',
    'drop index membership_unique',
    `create unique index membership_unique on membership (person_id, (coalesce(page_id, '')), is_mapped)`,
  ]),
  sqlMigration('20261122-drafts', [
    `create table draft (
       id serial primary key, version int not null default 1,
       created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
       page_id text not null constraint draft_page_id_foreign references page (id) on delete cascade,
       notice_id int constraint draft_notice_id_foreign references notice (id) on delete cascade,
       verb text not null, input jsonb not null, author_key text not null)`,
    'create index draft_page_id_id_index on draft (page_id, id)',
    'create index draft_notice_id_index on draft (notice_id)',
  ]),
  sqlMigration('20261122-page-visibility', [
    `alter table page add column visibility text not null default 'public',
       add column email_domains text[] not null default '{}', add column password_hash text,
       add column access_version int not null default 0`,
    `create table page_access_code (
       page_id text not null constraint page_access_code_page_id_foreign references page (id) on delete cascade,
       address text not null, hash text not null, tries int not null default 0, expires_at timestamptz(3) not null,
       primary key (page_id, address))`,
  ]),
  sqlMigration('20261122-update-promises', [
    'alter table notice add column next_update_by timestamptz(3)',
    `create table update_promise (
       id serial primary key, page_id text not null,
       notice_id int not null constraint update_promise_notice_id_foreign references notice (id) on delete cascade,
       made_by text not null, promised_for timestamptz(3) not null, settled_at timestamptz(3),
       reminded_at timestamptz(3), reminder_id int)`,
    'create index update_promise_notice_id_index on update_promise (notice_id)',
    'create index update_promise_page_id_promised_for_index on update_promise (page_id, promised_for)',
    `create index update_promise_due_index on update_promise (promised_for)
       where settled_at is null and reminded_at is null`,
  ]),
  sqlMigration('20261122-demo-records', [
    `create table demo_record (
       page_id text not null constraint demo_record_page_id_foreign references page (id) on delete cascade,
       kind text not null, record_id text not null, primary key (page_id, kind, record_id))`,
  ]),
  sqlMigration('20261122-ended-access', [
    `alter table page add column email_domain_versions int[] not null default '{}'`,
    `update page set email_domain_versions = array_fill(0, array[cardinality(email_domains)])`,
    'create table used_access_token (hash text primary key, expires_at timestamptz(3) not null)',
    'create index used_access_token_expires_at_index on used_access_token (expires_at)',
  ]),
  // Earlier versions kept no revisions; a text that was changed within a second was not shown as edited.
  sqlMigration('20261122-update-revisions', [
    'alter table notice_update add column edited_at timestamptz(3)',
    `update notice_update set edited_at = updated_at where updated_at > created_at + interval '1 second'`,
    `create table notice_update_revision (
       id serial primary key,
       update_id int not null
         constraint notice_update_revision_update_id_foreign references notice_update (id) on delete cascade,
       content text not null, state text, replaced_at timestamptz(3) not null, replaced_by text not null)`,
    'create index notice_update_revision_update_id_id_index on notice_update_revision (update_id, id)',
  ]),
  // The entry and its changes are inserted by one statement, and deleted by one.
  sqlMigration('20261122-audit-changes', ['alter table audit_change drop constraint audit_change_entry_id_foreign']),
  sqlMigration('20261122-corrections', ['alter table publication add column corrects int[]']),
  sqlMigration('20261122-stopped-publications', [
    'alter table publication add column skipped_at timestamptz(3)',
    `create index publication_stopping_index on publication (id)
       where stopped_at is not null and skipped_at is null`,
  ]),
  sqlMigration('20261122-page-links', [
    'alter table page add column website_url text, add column privacy_url text, add column terms_url text',
  ]),
  // Updates are read in this order, which then needs no sort.
  sqlMigration('20261122-update-order', [
    'create index notice_update_notice_id_posted_at_id_index on notice_update (notice_id, posted_at, id)',
    'drop index notice_update_notice_id_id_index',
  ]),
];
