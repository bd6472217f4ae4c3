/** The columns of every record. */
const timestamps =
  'created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1';

/** A foreign key, named as MikroORM names it. */
const reference = (table: string, column: string, target: string, onDelete = 'cascade') =>
  `constraint ${table}_${column}_foreign foreign key (${column}) references ${target} (id)
    on update no action on delete ${onDelete}`;

/** Creates all tables. The statements run on the embedded database and on PostgreSQL: plain SQL, no extension. */
export const initialSchema = [
  `create table page (
    id text primary key, ${timestamps},
    name text not null,
    timezone text not null default 'UTC',
    support_email text, support_telephone text, support_url text,
    visible_to_search boolean not null default true, meta_title text, meta_description text,
    vendor_analytics_id text,
    timeline_threshold int not null default 259200,
    timeline_sort_order text not null default 'asc',
    locale text not null default 'en',
    disabled_channels text[] not null default '{}',
    reminder text not null default 'none'
  )`,

  `create table brand (
    page_id text primary key, ${timestamps},
    color_state_ok text not null default '#27ae60',
    color_state_warning text not null default '#e67e22',
    color_navbar_background text not null default 'rgba(0,0,0,0.01)',
    color_navbar_links text not null default '#2c3e50',
    color_navbar_button_background text not null default '#2980b9',
    color_header_background text not null default '#F7F8F9',
    color_header_links text not null default '#2980b9',
    color_header_text text not null default '#2c3e50',
    color_body_background text not null default '#FFFFFF',
    color_body_links text not null default '#2980b9',
    color_body_text text not null default '#2c3e50',
    ${reference('brand', 'page_id', 'page')}
  )`,

  `create table theme (
    page_id text primary key, ${timestamps},
    archive bytea not null,
    failing_since timestamptz(3), failure text,
    ${reference('theme', 'page_id', 'page')}
  )`,

  `create table custom_domain (
    page_id text primary key, ${timestamps},
    domain text not null,
    claimed_at timestamptz(3) not null, verified_at timestamptz(3),
    proof_token text not null, missing_since timestamptz(3),
    next_check_at timestamptz(3) not null, checked_at timestamptz(3),
    finding text, finding_text text,
    cnames_found text[] not null default '{}', texts_found text[] not null default '{}',
    ${reference('custom_domain', 'page_id', 'page')}
  )`,
  'create unique index custom_domain_verified_unique on custom_domain (domain) where verified_at is not null',
  'create index custom_domain_next_check_at_index on custom_domain (next_check_at)',

  `create table domain_reservation (
    domain text primary key, page_id text not null, until timestamptz(3) not null,
    ${reference('domain_reservation', 'page_id', 'page')}
  )`,
  'create index domain_reservation_page_id_index on domain_reservation (page_id)',

  `create table channel_target (
    page_id text not null, channel text not null, target jsonb,
    tested_at timestamptz(3), test_outcome text, test_answer text,
    primary key (page_id, channel),
    ${reference('channel_target', 'page_id', 'page')}
  )`,

  `create table component (
    id serial primary key, ${timestamps},
    page_id text not null,
    state text not null default 'operational',
    name text not null, description text,
    position int not null, parent_id int,
    ${reference('component', 'page_id', 'page')},
    ${reference('component', 'parent_id', 'component', 'set null')}
  )`,
  'create index component_parent_id_index on component (parent_id)',
  'create index component_page_id_position_id_index on component (page_id, position, id)',

  `create table notice (
    id serial primary key, ${timestamps},
    page_id text not null, type text not null,
    subject text not null, synopsis text not null default '', state text,
    begins_at timestamptz(3), ends_at timestamptz(3), began_at timestamptz(3), ended_at timestamptz(3),
    should_automate_schedule boolean not null default false,
    begin_armed boolean not null default false, complete_armed boolean not null default false,
    last_should_publish boolean not null default false,
    path text not null,
    tag_list text[] not null default '{}',
    named_components boolean not null default false,
    reminder text,
    ${reference('notice', 'page_id', 'page')}
  )`,
  'create index notice_page_id_id_index on notice (page_id, id)',
  `create index notice_present_index on notice (page_id)
    where state in ('investigating', 'identified', 'recovering', 'underway')`,
  'create index notice_begin_due_index on notice (begins_at) where begin_armed',
  'create index notice_complete_due_index on notice (ends_at) where complete_armed',
  `create index notice_reminder_index on notice (begins_at) where state = 'scheduled' and last_should_publish`,

  `create table notice_update (
    id serial primary key, ${timestamps},
    notice_id int not null, content text not null, should_publish boolean not null default false,
    ${reference('notice_update', 'notice_id', 'notice')}
  )`,
  'create index notice_update_notice_id_id_index on notice_update (notice_id, id)',

  `create table notice_component (
    notice_id int not null, component_id int not null,
    primary key (notice_id, component_id),
    ${reference('notice_component', 'notice_id', 'notice')},
    ${reference('notice_component', 'component_id', 'component')}
  )`,
  'create index notice_component_component_id_index on notice_component (component_id)',

  `create table notice_template (
    id text primary key, ${timestamps},
    page_id text not null, name text not null,
    subject text, initial_comment text, component_id int,
    ${reference('notice_template', 'page_id', 'page')},
    ${reference('notice_template', 'component_id', 'component', 'set null')}
  )`,
  'create index notice_template_component_id_index on notice_template (component_id)',
  'create index notice_template_page_id_created_at_id_index on notice_template (page_id, created_at, id)',

  `create table subscriber (
    id serial primary key, ${timestamps},
    page_id text not null,
    email text, phone_number text, first_name text, last_name text, nickname text, company text,
    tag_list text[] not null default '{}',
    chose_components boolean not null default false,
    confirmed_at timestamptz(3), unsubscribed_at timestamptz(3),
    consent_source text not null,
    kinds text[] not null default '{unplanned,planned,general}',
    link_version int not null default 1,
    ${reference('subscriber', 'page_id', 'page')}
  )`,
  'create index subscriber_page_id_id_index on subscriber (page_id, id)',
  'create unique index subscriber_email_unique on subscriber (page_id, lower(email))',
  'create unique index subscriber_phone_unique on subscriber (page_id, phone_number)',

  `create table subscriber_component (
    subscriber_id int not null, component_id int not null,
    primary key (subscriber_id, component_id),
    ${reference('subscriber_component', 'subscriber_id', 'subscriber')},
    ${reference('subscriber_component', 'component_id', 'component')}
  )`,
  'create index subscriber_component_component_id_index on subscriber_component (component_id)',

  `create table subscription_request (
    id serial primary key, page_id text not null,
    way text not null, recipient text not null, caller text not null,
    sent boolean not null, created_at timestamptz(3) not null,
    ${reference('subscription_request', 'page_id', 'page')}
  )`,
  'create index subscription_request_recipient_created_at_index on subscription_request (recipient, created_at)',
  'create index subscription_request_caller_created_at_index on subscription_request (caller, created_at)',
  'create index subscription_request_page_id_created_at_index on subscription_request (page_id, created_at)',

  `create table phone_code (
    page_id text not null, phone_number text not null,
    hash text not null, tries int not null default 0, expires_at timestamptz(3) not null,
    primary key (page_id, phone_number),
    ${reference('phone_code', 'page_id', 'page')}
  )`,

  'create table signing_key (name text primary key, secret text not null, created_at timestamptz(3) not null)',

  `create table publication (
    id serial primary key, page_id text not null, notice_id int not null, update_id int,
    notice_type text not null, event text not null, made_by text not null,
    picture jsonb not null, scope int[],
    created_at timestamptz(3) not null,
    spread_through int not null default 0, spread_at timestamptz(3),
    ${reference('publication', 'page_id', 'page')}
  )`,
  'create index publication_page_id_id_index on publication (page_id, id)',
  'create index publication_notice_id_created_at_index on publication (notice_id, created_at)',
  'create index publication_unspread_index on publication (id) where spread_at is null',

  `create table delivery (
    id serial primary key, page_id text not null, publication_id int not null, notice_id int not null,
    channel text not null, recipient_key text not null, subscriber_id int, address text not null,
    state text not null default 'pending', reason text, tries int not null default 0,
    created_at timestamptz(3) not null, queued_at timestamptz(3) not null, due_at timestamptz(3) not null,
    lease uuid, leased_until timestamptz(3), worker text,
    message_id text not null, thread text, sent_at timestamptz(3),
    constraint delivery_publication_id_channel_recipient_key_unique unique (publication_id, channel, recipient_key),
    ${reference('delivery', 'publication_id', 'publication')}
  )`,
  'create index delivery_page_id_id_index on delivery (page_id, id)',
  'create index delivery_address_index on delivery (page_id, lower(address))',
  `create index delivery_open_index on delivery (notice_id, channel, recipient_key)
    where state in ('pending', 'sending', 'retrying')`,
  `create index delivery_fresh_index on delivery (page_id, id) where state = 'pending'`,
  `create index delivery_retry_index on delivery (due_at) where state = 'retrying'`,
  `create index delivery_lease_index on delivery (leased_until) where state = 'sending'`,
  `create index delivery_dead_index on delivery (page_id, id) where state = 'dead'`,

  `create table attempt (
    id serial primary key, delivery_id int not null,
    at timestamptz(3) not null, outcome text not null, answer text not null,
    ${reference('attempt', 'delivery_id', 'delivery')}
  )`,
  'create index attempt_delivery_id_index on attempt (delivery_id)',

  `create table token (
    id serial primary key, label text not null, hash text not null, scope text not null,
    created_at timestamptz(3) not null, revoked_at timestamptz(3),
    constraint token_hash_unique unique (hash)
  )`,

  `create table idempotent_answer (
    id text primary key, fingerprint text not null,
    status int not null, headers jsonb not null, body text not null,
    created_at timestamptz(3) not null
  )`,
  'create index idempotent_answer_created_at_index on idempotent_answer (created_at)',

  `create table page_change (
    transaction xid8 not null default pg_current_xact_id(), page_id text not null,
    created_at timestamptz(3) not null,
    primary key (transaction, page_id)
  )`,
  'create index page_change_created_at_index on page_change (created_at)',
];
