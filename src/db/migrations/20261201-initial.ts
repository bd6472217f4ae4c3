const timestamps =
  'created_at timestamptz(3) not null, updated_at timestamptz(3) not null, version int not null default 1';

/** A foreign key, named as MikroORM names it. */
const reference = (table: string, column: string, target: string, onDelete = 'cascade') =>
  `constraint ${table}_${column}_foreign foreign key (${column}) references ${target} (id)
    on update no action on delete ${onDelete}`;

/** The addresses of the confirmed subscribers among rows, one for each channel. */
const activeAddresses = (rows: string) =>
  `select id, page_id, channel, confirmed_at
   from ${rows} cross join lateral (values ('email', email), ('sms', phone_number)) addresses (channel, address)
   where address is not null and confirmed_at is not null and unsubscribed_at is null`;

/** The programs, chats and browsers that visitors subscribed, among rows. */
const activeWebhooks = (rows: string) =>
  `select id, page_id, case format when 'push' then 'push' else 'webhook' end as channel, confirmed_at
   from ${rows} where url_hash is not null and confirmed_at is not null`;

const todaySql = `(clock_timestamp() at time zone 'UTC')::date`;

/** Adds to the daily counts of a page what statements change: `active` selects id, page_id, channel, confirmed_at. */
function countSubscribers(table: string, active: (rows: string) => string): string[] {
  const add = (operation: string, tables: string, selected: string) => [
    `create function count_${table}_${operation}() returns trigger language plpgsql as $$
    begin
      insert into subscriber_count as stored (page_id, channel, day, added, ended)
      select page_id, channel, changed.day, sum(added), sum(ended)
      from (${selected}) changed
      -- Without the subscribers that are deleted with their page.
      where exists (select 1 from page where page.id = page_id)
      group by page_id, channel, changed.day
      on conflict (page_id, channel, day)
        do update set added = stored.added + excluded.added, ended = stored.ended + excluded.ended;
      return null;
    end $$`,
    `create trigger count_${table}_${operation} after ${operation} on ${table} referencing ${tables}
      for each statement execute function count_${table}_${operation}()`,
  ];
  return [
    ...add(
      'insert',
      'new table as after_rows',
      `select page_id, channel, (confirmed_at at time zone 'UTC')::date as day, 1 as added, 0 as ended
       from (${active('after_rows')}) present`,
    ),
    ...add(
      'delete',
      'old table as before_rows',
      `select page_id, channel, ${todaySql} as day, 0 as added, 1 as ended from (${active('before_rows')}) past`,
    ),
    ...add(
      'update',
      'old table as before_rows new table as after_rows',
      `select coalesce(present.page_id, past.page_id) as page_id, channel, ${todaySql} as day,
         (past.page_id is null)::int as added, (present.page_id is null)::int as ended
       from (${active('before_rows')}) past
       full join (${active('after_rows')}) present using (id, channel)
       where past.page_id is null or present.page_id is null`,
    ),
  ];
}

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
    reminder text not null default 'none',
    change_count int not null default 0,
    show_uptime boolean not null default true,
    hold_seconds int not null default 10,
    stale_after_minutes int not null default 120,
    show_response_statistics boolean not null default false,
    send_monthly_report boolean not null default false, reported_month text,
    visibility text not null default 'public',
    email_domains text[] not null default '{}', email_domain_versions int[] not null default '{}',
    password_hash text, access_version int not null default 0,
    website_url text, privacy_url text, terms_url text,
    link_key text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
  )`,

  'create index page_reported_month_index on page (reported_month) where send_monthly_report',

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

  `create table brand_image (
    page_id text not null, role text not null,
    format text not null, hash text not null, width int not null, height int not null,
    content bytea not null, png bytea,
    primary key (page_id, role),
    ${reference('brand_image', 'page_id', 'page')}
  )`,

  `create table page_image (
    page_id text not null, hash text not null,
    format text not null, width int not null, height int not null, bytes int not null,
    content bytea not null,
    primary key (page_id, hash),
    ${reference('page_image', 'page_id', 'page')}
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
  // Only verified claims are unique: an unverified one must not keep the owner of a domain out.
  'create unique index custom_domain_verified_unique on custom_domain (domain) where verified_at is not null',
  'create index custom_domain_next_check_at_index on custom_domain (next_check_at)',

  // Verified domains that were given up, for their page: their DNS records still lead here, and their visitors must not
  // arrive at another page. Deleted with the page, which cannot take the domain back; another page still has to prove
  // it.
  `create table domain_reservation (
    domain text primary key, page_id text not null, until timestamptz(3) not null,
    ${reference('domain_reservation', 'page_id', 'page')}
  )`,
  'create index domain_reservation_page_id_index on domain_reservation (page_id)',

  // The secret URL and token of a page's channel, and the outcome of its last test: channels to subscribers have only
  // that.
  `create table channel_target (
    page_id text not null, channel text not null, target jsonb,
    tested_at timestamptz(3), test_outcome text, test_response text,
    primary key (page_id, channel),
    ${reference('channel_target', 'page_id', 'page')}
  )`,

  `create table component (
    id serial primary key, ${timestamps},
    page_id text not null,
    state text not null default 'operational',
    name text not null, description text,
    position int not null, parent_id int, metadata jsonb,
    ${reference('component', 'page_id', 'page')},
    ${reference('component', 'parent_id', 'component', 'set null')}
  )`,
  'create index component_parent_id_index on component (parent_id)',
  'create index component_page_id_position_id_index on component (page_id, position, id)',

  // The states that people set components to. `ended_at` is null while one holds, which is one per component at most.
  `create table manual_status (
    id serial primary key, page_id text not null, component_id int not null,
    state text not null, note text, began_at timestamptz(3) not null, ended_at timestamptz(3),
    ${reference('manual_status', 'page_id', 'page')},
    ${reference('manual_status', 'component_id', 'component')}
  )`,
  'create unique index manual_status_current_unique on manual_status (component_id) where ended_at is null',
  'create index manual_status_component_id_index on manual_status (component_id)',
  'create index manual_status_page_id_ended_at_index on manual_status (page_id, ended_at desc)',

  // Which component of another status page a component follows, and what that says. Before `next_poll_at` one process
  // has it, or none need ask.
  `create table upstream (
    id serial primary key, page_id text not null, component_id int not null,
    url text not null, format text not null, remote_id text not null, remote_name text not null,
    state text not null, began_at timestamptz(3) not null,
    answered_at timestamptz(3) not null, failures int not null default 0, failure text,
    etag text, last_modified text, next_poll_at timestamptz(3) not null default now(),
    ${reference('upstream', 'page_id', 'page')},
    ${reference('upstream', 'component_id', 'component')}
  )`,
  'create unique index upstream_component_id_unique on upstream (component_id)',
  'create index upstream_page_id_index on upstream (page_id)',
  'create index upstream_next_poll_at_index on upstream (next_poll_at)',

  // What upstreams said before, where that was not operational.
  `create table upstream_period (
    page_id text not null, component_id int not null,
    state text not null, began_at timestamptz(3) not null, ended_at timestamptz(3) not null,
    primary key (page_id, component_id, began_at),
    ${reference('upstream_period', 'page_id', 'page')},
    ${reference('upstream_period', 'component_id', 'component')}
  )`,
  'create index upstream_period_component_id_index on upstream_period (component_id)',
  'create index upstream_period_page_id_ended_at_index on upstream_period (page_id, ended_at desc)',

  `create table notice (
    id serial primary key, ${timestamps},
    page_id text not null, type text not null,
    subject text not null, synopsis text not null default '', state text,
    begins_at timestamptz(3), ends_at timestamptz(3), began_at timestamptz(3), ended_at timestamptz(3),
    should_automate_schedule boolean not null default false,
    begin_armed boolean not null default false, complete_armed boolean not null default false,
    last_should_publish boolean not null default false, silent_until timestamptz(3), announced_as text,
    path text not null,
    tag_list text[] not null default '{}',
    named_components boolean not null default false,
    reminder text,
    next_update_by timestamptz(3),
    last_update_at timestamptz(3), last_update_by text, stale_reminders int not null default 0,
    owner_id int, metadata jsonb,
    ${reference('notice', 'page_id', 'page')}
  )`,
  'create index notice_owner_id_index on notice (owner_id) where owner_id is not null',
  'create index notice_page_id_id_index on notice (page_id, id)',
  'create index notice_page_id_began_at_index on notice (page_id, began_at)',
  'create index notice_token_index on notice (page_id, left(path, 16))',
  // In the order of each list of the public page (notice.order.ts), which reads a part of a list.
  `create index notice_present_index on notice (page_id, type desc, began_at desc, id desc)
    where state in ('investigating', 'identified', 'recovering', 'underway')`,
  `create index notice_scheduled_index on notice (page_id, begins_at, id) where state = 'scheduled'`,
  `create index notice_general_index on notice (page_id, ended_at desc, id desc) where type = 'general'`,
  `create index notice_past_index on notice (page_id, ended_at desc, id desc)
    where type <> 'general' and ended_at is not null`,
  'create index notice_page_id_state_id_index on notice (page_id, state, id)',
  // For filters by `timeline_state`.
  `create index notice_over_index on notice (page_id, ended_at)
    where state is null or state not in ('scheduled', 'investigating', 'identified', 'recovering', 'underway')`,
  `create index notice_stale_index on notice (last_update_at) where stale_reminders < 2
    and state in ('scheduled', 'investigating', 'identified', 'recovering', 'underway')`,
  'create index notice_begin_due_index on notice (begins_at) where begin_armed',
  'create index notice_complete_due_index on notice (ends_at) where complete_armed',
  `create index notice_reminder_index on notice (begins_at) where state = 'scheduled' and last_should_publish`,

  `create table recurrence (
    id serial primary key, ${timestamps},
    page_id text not null, rule text, timezone text not null,
    begins_at timestamptz(3) not null, ends_at timestamptz(3) not null,
    subject text not null, content text, component_ids int[] not null default '{}',
    tag_list text[] not null default '{}', should_automate_schedule boolean not null default false,
    reminder text, should_publish boolean not null default false,
    windows jsonb not null default '[]', on_missing_hour text not null default 'skip',
    next_at timestamptz(3), due_at timestamptz(3), announced_until timestamptz(3),
    ${reference('recurrence', 'page_id', 'page')}
  )`,
  'create index recurrence_page_id_id_index on recurrence (page_id, id)',
  'create index recurrence_due_at_index on recurrence (due_at) where due_at is not null',

  // Those that became notices; without one, those that are skipped.
  `create table occurrence (
    recurrence_id int not null, occurs_at timestamptz(3) not null, notice_id int,
    primary key (recurrence_id, occurs_at),
    ${reference('occurrence', 'recurrence_id', 'recurrence')},
    ${reference('occurrence', 'notice_id', 'notice', 'set null')}
  )`,
  'create index occurrence_notice_id_index on occurrence (notice_id)',

  `create table notice_update (
    id serial primary key, ${timestamps},
    notice_id int not null, content text not null, should_publish boolean not null default false,
    state text, kind text not null default 'update', posted_at timestamptz(3) not null, edited_at timestamptz(3),
    ${reference('notice_update', 'notice_id', 'notice')}
  )`,
  'create index notice_update_notice_id_posted_at_id_index on notice_update (notice_id, posted_at, id)',

  `create table notice_update_revision (
    id serial primary key, update_id int not null,
    content text not null, state text, replaced_at timestamptz(3) not null, replaced_by text not null,
    replaced_by_kind text not null default 'automation',
    ${reference('notice_update_revision', 'update_id', 'notice_update')}
  )`,
  'create index notice_update_revision_update_id_id_index on notice_update_revision (update_id, id)',

  `create table notice_component (
    notice_id int not null, component_id int not null, impact text not null default 'degraded',
    recovered_at timestamptz,
    primary key (notice_id, component_id),
    ${reference('notice_component', 'notice_id', 'notice')},
    ${reference('notice_component', 'component_id', 'component')}
  )`,
  'create index notice_component_component_id_index on notice_component (component_id)',

  `create table notice_template (
    id text primary key, ${timestamps},
    page_id text not null, name text not null,
    subject text, initial_comment text, component_id int, type text, state text,
    ${reference('notice_template', 'page_id', 'page')},
    ${reference('notice_template', 'component_id', 'component', 'set null')}
  )`,
  'create index notice_template_component_id_index on notice_template (component_id)',
  'create index notice_template_page_id_created_at_id_index on notice_template (page_id, created_at, id)',

  `create table notice_template_component (
    template_id text not null, component_id int not null,
    primary key (template_id, component_id),
    ${reference('notice_template_component', 'template_id', 'notice_template')},
    ${reference('notice_template_component', 'component_id', 'component')}
  )`,
  'create index notice_template_component_component_id_index on notice_template_component (component_id)',

  // By when the next update of a notice is due, which the update settles. `made_by` is the key of the caller: `person
  // <id>`, or the id of a token. `reminded_at` is also set where the author has no address.
  `create table next_update_deadline (
    id serial primary key, page_id text not null, notice_id int not null, made_by text not null,
    due_at timestamptz(3) not null, settled_at timestamptz(3), reminded_at timestamptz(3),
    ${reference('next_update_deadline', 'notice_id', 'notice')}
  )`,
  'create index next_update_deadline_notice_id_index on next_update_deadline (notice_id)',
  'create index next_update_deadline_page_id_due_at_index on next_update_deadline (page_id, due_at)',
  `create index next_update_deadline_due_index on next_update_deadline (due_at)
    where settled_at is null and reminded_at is null`,

  `create table draft (
    id serial primary key, ${timestamps},
    page_id text not null, notice_id int, verb text not null, change jsonb not null, author_key text not null,
    publish_at timestamptz(3), preview_hash text, scheduler_key text, publish_error text,
    is_error_reported boolean not null default false,
    ${reference('draft', 'page_id', 'page')},
    ${reference('draft', 'notice_id', 'notice')}
  )`,
  'create index draft_page_id_id_index on draft (page_id, id)',
  'create index draft_notice_id_index on draft (notice_id)',
  'create index draft_publish_at_index on draft (publish_at) where publish_at is not null',

  `create table alert_source (
    id serial primary key, ${timestamps},
    page_id text not null, name text not null, rules jsonb not null, fields jsonb,
    hash text not null, last_four text not null, secret text,
    constraint alert_source_hash_unique unique (hash),
    ${reference('alert_source', 'page_id', 'page')}
  )`,
  'create index alert_source_page_id_id_index on alert_source (page_id, id)',

  `create table metric (
    id serial primary key, ${timestamps},
    page_id text not null, name text not null, unit text,
    color text not null default '#3b82f6', decimal_places int not null default 0,
    is_shown boolean not null default true, metadata jsonb,
    ${reference('metric', 'page_id', 'page')}
  )`,
  'create index metric_page_id_id_index on metric (page_id, id)',

  // The values of metrics, by 5 minutes and by hour.
  `create table metric_bucket (
    metric_id int not null, seconds int not null, began_at timestamptz(3) not null,
    sum float8 not null, count int not null, min float8 not null, max float8 not null,
    primary key (metric_id, seconds, began_at),
    ${reference('metric_bucket', 'metric_id', 'metric')}
  )`,
  'create index metric_bucket_began_at_index on metric_bucket (began_at)',

  // Requests that a source has received: the last ones, for a week.
  `create table alert_payload (
    id bigserial primary key, page_id text not null, source_id int not null, received_at timestamptz(3) not null,
    format text, alert_count int not null, body text not null, error text,
    ${reference('alert_payload', 'page_id', 'page')},
    ${reference('alert_payload', 'source_id', 'alert_source')}
  )`,
  'create index alert_payload_source_id_id_index on alert_payload (source_id, id)',
  'create index alert_payload_page_id_id_index on alert_payload (page_id, id)',
  'create index alert_payload_received_at_index on alert_payload (received_at)',

  // Alerts that their sender groups. The ids of the draft, of the draft that was reported by mail, and of the notice
  // have no foreign key: they tell what became of it, also after a draft is published or deleted.
  `create table alert_group (
    id serial primary key, page_id text not null, source_id int not null, key text not null, title text not null,
    state text not null, received_count int not null,
    first_received_at timestamptz(3) not null, last_received_at timestamptz(3) not null, starts_at timestamptz(3),
    latest_draft_id int, reported_draft_id int, pushed_draft_id int, notice_id int, error text,
    constraint alert_group_source_id_key_unique unique (source_id, key),
    ${reference('alert_group', 'page_id', 'page')},
    ${reference('alert_group', 'source_id', 'alert_source')}
  )`,
  'create index alert_group_page_id_last_received_at_id_index on alert_group (page_id, last_received_at, id)',
  'create index alert_group_last_received_at_index on alert_group (last_received_at)',
  'create index alert_group_latest_draft_id_index on alert_group (latest_draft_id)',
  'create index alert_group_notice_id_index on alert_group (notice_id) where notice_id is not null',
  `create index alert_group_unreported_index on alert_group (id)
    where latest_draft_id is not null and reported_draft_id is distinct from latest_draft_id`,
  `create index alert_group_unpushed_index on alert_group (id)
    where latest_draft_id is not null and pushed_draft_id is distinct from latest_draft_id`,

  `create table alert (
    group_id int not null, fingerprint text not null, status text not null, line text not null,
    primary key (group_id, fingerprint),
    ${reference('alert', 'group_id', 'alert_group')}
  )`,

  `create table subscriber (
    id serial primary key, ${timestamps},
    page_id text not null,
    email text, phone_number text, first_name text, last_name text, nickname text, company text,
    tag_list text[] not null default '{}',
    chose_components boolean not null default false,
    confirmed_at timestamptz(3), unsubscribed_at timestamptz(3),
    consent_source text not null,
    kinds text[] not null default '{unplanned,planned,general}', chosen_at timestamptz(3),
    link_version int not null default 1,
    ${reference('subscriber', 'page_id', 'page')}
  )`,
  'create index subscriber_page_id_id_index on subscriber (page_id, id)',
  // Lists show confirmed subscribers alone: their number and their order are read from the index.
  `create index subscriber_confirmed_index on subscriber (page_id, id)
    where confirmed_at is not null and unsubscribed_at is null`,
  // For what is deleted every 10 minutes, which else would read all subscribers.
  `create index subscriber_unconfirmed_index on subscriber (updated_at)
    where confirmed_at is null and unsubscribed_at is null`,
  `create index subscriber_unsubscribed_at_index on subscriber (unsubscribed_at) where unsubscribed_at is not null`,
  // The address first: a page id alone finds all subscribers of the page, which a planner with old statistics takes for
  // one. See subscribers/import-holders.ts.
  'create unique index subscriber_email_unique on subscriber (lower(email), page_id)',
  'create unique index subscriber_phone_unique on subscriber (phone_number, page_id)',

  // How many addresses of a page were confirmed and ended on a day in UTC: figures that outlive the subscribers.
  `create table subscriber_count (
    page_id text not null, channel text not null, day date not null,
    added int not null, ended int not null,
    primary key (page_id, channel, day),
    ${reference('subscriber_count', 'page_id', 'page')}
  )`,
  ...countSubscribers('subscriber', activeAddresses),

  `create table subscriber_component (
    subscriber_id int not null, component_id int not null,
    primary key (subscriber_id, component_id),
    ${reference('subscriber_component', 'subscriber_id', 'subscriber')},
    ${reference('subscriber_component', 'component_id', 'component')}
  )`,
  'create index subscriber_component_component_id_index on subscriber_component (component_id)',

  // Who was notified of an open notice by the installation from which the page came.
  `create table notified_subscriber (
    notice_id int not null, subscriber_id int not null, notified_at timestamptz(3) not null,
    primary key (notice_id, subscriber_id),
    ${reference('notified_subscriber', 'notice_id', 'notice')},
    ${reference('notified_subscriber', 'subscriber_id', 'subscriber')}
  )`,
  'create index notified_subscriber_subscriber_id_index on notified_subscriber (subscriber_id)',

  // The URL and the secrets are in `target`, as in `channel_target`. For a day after `rotated_at` two secrets sign.
  // `url_hash`: a keyed hash of the URL, of webhooks that visitors subscribed, whose `contact` hears when they fail.
  `create table webhook (
    id serial primary key, ${timestamps},
    page_id text not null, format text not null, target jsonb not null,
    chose_components boolean not null default false,
    confirmed_at timestamptz(3), rotated_at timestamptz(3),
    kinds text[] not null default '{unplanned,planned,general}', chosen_at timestamptz(3),
    url_hash text, contact text, link_version int not null default 1,
    tested_at timestamptz(3), test_outcome text, test_response text,
    ${reference('webhook', 'page_id', 'page')}
  )`,
  'create index webhook_page_id_id_index on webhook (page_id, id)',
  'create unique index webhook_url_hash_unique on webhook (page_id, url_hash)',

  ...countSubscribers('webhook', activeWebhooks),

  `create table webhook_component (
    webhook_id int not null, component_id int not null,
    primary key (webhook_id, component_id),
    ${reference('webhook_component', 'webhook_id', 'webhook')},
    ${reference('webhook_component', 'component_id', 'component')}
  )`,
  'create index webhook_component_component_id_index on webhook_component (component_id)',

  // The key pair by which a page signs requests to its webhooks: whpk_..., and PEM, encrypted by SECRETS_KEY.
  `create table webhook_key (
    page_id text primary key, public_key text not null, private_key text not null,
    ${reference('webhook_key', 'page_id', 'page')}
  )`,

  // Keyed hashes of addresses that unsubscribed from a page, whose subscribers were deleted since.
  `create table unsubscribed_address (
    page_id text not null, hash text not null,
    primary key (page_id, hash),
    ${reference('unsubscribed_address', 'page_id', 'page')}
  )`,

  // Messages that visitors requested to an address, which may be that of somebody else. Kept for a day for rate limits
  // across all processes. `recipient` is a keyed hash, since its owner has not consented to anything; `caller` is a
  // network. `sent` is false if a limit prevented the message, or the recipient server refused it.
  `create table subscription_request (
    id serial primary key, page_id text not null,
    method text not null, recipient text not null, caller text not null,
    sent boolean not null, created_at timestamptz(3) not null,
    ${reference('subscription_request', 'page_id', 'page')}
  )`,
  'create index subscription_request_recipient_created_at_index on subscription_request (recipient, created_at)',
  'create index subscription_request_caller_created_at_index on subscription_request (caller, created_at)',
  'create index subscription_request_page_id_created_at_index on subscription_request (page_id, created_at)',

  // Secrets of the whole service by purpose (`name`): 256 random bits, base64url, generated once for all processes.
  'create table signing_key (name text primary key, secret text not null, created_at timestamptz(3) not null)',

  `create table publication (
    id serial primary key, page_id text not null, notice_id int not null, update_id int,
    notice_type text not null, event text not null, made_by text not null,
    made_by_kind text not null default 'automation',
    message_snapshot jsonb not null, scope int[], corrects int[], preview_hash text,
    created_at timestamptz(3) not null,
    held_until timestamptz(3), stopped_at timestamptz(3), skipped_at timestamptz(3),
    fanned_out_through int not null default 0, fanned_out_at timestamptz(3),
    ${reference('publication', 'page_id', 'page')}
  )`,
  'create index publication_page_id_id_index on publication (page_id, id)',
  'create index publication_notice_id_created_at_index on publication (notice_id, created_at)',
  'create index publication_notice_id_id_index on publication (notice_id, id)',
  'create index publication_preview_hash_index on publication (preview_hash) where preview_hash is not null',
  'create index publication_not_fanned_out_index on publication (id) where fanned_out_at is null',
  `create index publication_stopping_index on publication (id)
    where stopped_at is not null and skipped_at is null`,

  // A busy service uses up the 2,147,483,647 ids of an integer column.
  `create table delivery (
    id bigserial primary key, page_id text not null, publication_id int not null, notice_id int not null,
    channel text not null, recipient_key text not null, subscriber_id int, webhook_id int, address text not null,
    state text not null default 'pending', reason text, tries int not null default 0,
    created_at timestamptz(3) not null, queued_at timestamptz(3) not null, due_at timestamptz(3) not null,
    lease uuid, leased_until timestamptz(3), worker text,
    message_id text not null, thread text, sent_at timestamptz(3), notified_earlier boolean not null default false,
    is_untrusted boolean not null default false,
    constraint delivery_publication_id_channel_recipient_key_unique unique (publication_id, channel, recipient_key),
    ${reference('delivery', 'publication_id', 'publication')}
  )`,
  'create index delivery_page_id_id_index on delivery (page_id, id)',
  'create index delivery_address_index on delivery (page_id, lower(address))',
  `create index delivery_open_index on delivery (notice_id, channel, recipient_key)
    where state in ('pending', 'sending', 'retrying')`,
  `create index delivery_fresh_index on delivery (page_id, channel, is_untrusted, id)
    where state = 'pending'`,
  `create index delivery_fresh_target_index on delivery (page_id, channel, is_untrusted, webhook_id, id)
    where state = 'pending' and webhook_id is not null`,
  `create index delivery_retry_index on delivery (due_at) where state = 'retrying'`,
  `create index delivery_lease_index on delivery (leased_until) where state = 'sending'`,
  `create index delivery_dead_index on delivery (page_id, id) where state = 'dead'`,
  'create index delivery_subscriber_index on delivery (subscriber_id, id) where subscriber_id is not null',
  'create index delivery_webhook_index on delivery (webhook_id, id) where webhook_id is not null',

  `create table attempt (
    id bigserial primary key, delivery_id bigint not null,
    at timestamptz(3) not null, outcome text not null, response text not null,
    ${reference('attempt', 'delivery_id', 'delivery')}
  )`,
  'create index attempt_delivery_id_index on attempt (delivery_id)',

  // How many deliveries of a publication were deleted. `reason` is empty where a delivery has none.
  `create table deleted_delivery_count (
    publication_id int not null, channel text not null, state text not null, reason text not null,
    count int not null,
    primary key (publication_id, channel, state, reason),
    ${reference('deleted_delivery_count', 'publication_id', 'publication')}
  )`,

  // Recipients that refused the latest messages for good, `count` in a row; one that accepts a message has no row.
  // With neither `subscriber_id` nor `webhook_id`: a channel of the page. Another `address` is counted from zero.
  `create table recipient_refusals (
    id serial primary key, page_id text not null, channel text not null, subscriber_id int, webhook_id int,
    address text not null, count int not null, response text not null,
    suspended_at timestamptz(3), reported_at timestamptz(3), refused_at timestamptz(3) not null default now(),
    is_bounce boolean not null default false,
    ${reference('recipient_refusals', 'page_id', 'page')},
    ${reference('recipient_refusals', 'subscriber_id', 'subscriber')},
    ${reference('recipient_refusals', 'webhook_id', 'webhook')}
  )`,
  `create unique index recipient_refusals_unique
    on recipient_refusals (page_id, channel, (coalesce(subscriber_id, 0)), (coalesce(webhook_id, 0)))`,
  'create index recipient_refusals_subscriber_id_index on recipient_refusals (subscriber_id)',
  'create index recipient_refusals_webhook_id_index on recipient_refusals (webhook_id)',

  // Channels that refuse messages for a reason that is not the recipient's, by page. `pushed_at` and `reported_at` say
  // when those who run the page got a push message and a mail about it.
  `create table channel_failure (
    page_id text not null, channel text not null, publication_id int not null, response text not null,
    started_at timestamptz(3) not null, refused_at timestamptz(3) not null, ended_at timestamptz(3),
    pushed_at timestamptz(3), reported_at timestamptz(3), is_bounce boolean not null default false,
    primary key (page_id, channel),
    ${reference('channel_failure', 'page_id', 'page')}
  )`,

  // How many mails of a publication have bounced with an answer, addresses and numbers aside. With `check_at` bounces
  // they may be more than a third.
  `create table bounce_count (
    publication_id int not null, answer text not null, count int not null, check_at int not null,
    primary key (publication_id, answer),
    ${reference('bounce_count', 'publication_id', 'publication')}
  )`,

  // The checks of the channels that the settings configure. `error` is that of the last check; `announced_at` says when
  // OPERATOR_WEBHOOK_URL heard that the channel fails, and is null while it works.
  `create table channel_check (
    channel text primary key, due_at timestamptz(3) not null, checked_at timestamptz(3), error text,
    failing_since timestamptz(3), announce_due_at timestamptz(3) not null, announced_at timestamptz(3)
  )`,

  // The newest refresh token for mail, encrypted; `setting_hash` is that of the setting from which it descends.
  `create table mail_refresh_token (
    id int primary key check (id = 1), setting_hash text not null, token text, leased_until timestamptz(3) not null
  )`,

  // The address that takes bounces, of which there is one: the SHA-256, hexadecimal, of its token.
  `create table bounce_hook (
    id int primary key check (id = 1), hash text not null, created_at timestamptz(3) not null
  )`,

  // What processes know of one another and of commands, by name: the PUBLIC_URL of the last one that started
  // (public_url), and the folder of the last backup (backup).
  `create table installation_fact (
    name text primary key, value text not null, stored_at timestamptz(3) not null
  )`,

  `create table person (
    id serial primary key, email text not null, created_at timestamptz(3) not null, disabled_at timestamptz(3)
  )`,
  'create unique index person_email_unique on person (lower(email))',

  `create table membership (
    id serial primary key, person_id int not null, page_id text, role text not null,
    is_mapped boolean not null default false,
    ${reference('membership', 'person_id', 'person')},
    ${reference('membership', 'page_id', 'page')}
  )`,
  `create unique index membership_unique on membership (person_id, (coalesce(page_id, '')), is_mapped)`,
  'create index membership_page_id_index on membership (page_id)',

  // The mails to those who run a page that are to be sent, or sent again. Without a person: to OPERATOR_EMAIL, or to
  // who subscribed the webhook of the record.
  `create table operator_mail (
    id bigint generated always as identity primary key,
    kind text not null, page_id text not null, record_key text not null, person_id int,
    attempts int not null default 0, due_at timestamptz(3) not null,
    constraint operator_mail_recipient_unique unique nulls not distinct (page_id, kind, record_key, person_id),
    ${reference('operator_mail', 'page_id', 'page')},
    ${reference('operator_mail', 'person_id', 'person')}
  )`,
  'create index operator_mail_due_at_index on operator_mail (kind, due_at)',
  'create index operator_mail_person_id_index on operator_mail (person_id)',

  `create table session (
    id serial primary key, person_id int not null, hash text not null, user_agent text not null,
    created_at timestamptz(3) not null, last_seen_at timestamptz(3) not null, revoked_at timestamptz(3),
    constraint session_hash_unique unique (hash),
    ${reference('session', 'person_id', 'person')}
  )`,
  'create index session_person_id_index on session (person_id)',

  // Links that sign a person in once. `hash`, here and below: SHA-256, hexadecimal, of 256 random bits.
  `create table sign_in_link (
    hash text primary key, person_id int not null, expires_at timestamptz(3) not null,
    ${reference('sign_in_link', 'person_id', 'person')}
  )`,
  'create index sign_in_link_person_id_index on sign_in_link (person_id)',

  // Codes that prove possession of an address; only the newest of a scope and a subject counts. `scope` is a page id,
  // or a keyed hash of a browser's secret; `subject` a phone number, or a keyed hash of an e-mail address. `network`
  // and `hash` are keyed hashes, too: six digits could be guessed from a plain one. All are deleted soon.
  `create table one_time_code (
    id serial primary key, purpose text not null, scope text not null, subject text not null, network text,
    hash text not null, tries int not null default 0,
    created_at timestamptz(3) not null, expires_at timestamptz(3) not null
  )`,
  'create index one_time_code_purpose_scope_subject_id_index on one_time_code (purpose, scope, subject, id)',
  'create index one_time_code_network_index on one_time_code (network)',

  `create table passkey (
    id serial primary key, person_id int not null, credential_id text not null,
    public_key bytea not null, counter bigint not null, transports text[] not null, name text not null,
    is_backed_up boolean not null, created_at timestamptz(3) not null, last_used_at timestamptz(3),
    constraint passkey_credential_id_unique unique (credential_id),
    ${reference('passkey', 'person_id', 'person')}
  )`,
  'create index passkey_person_id_index on passkey (person_id)',

  // Browsers of people that get push messages about drafts of alerts. `hash`: SHA-256 of the endpoint, which
  // is in `target` with the keys, as in `channel_target`.
  `create table alert_browser (
    id serial primary key, person_id int not null, hash text not null, target jsonb not null,
    created_at timestamptz(3) not null,
    constraint alert_browser_hash_unique unique (hash),
    ${reference('alert_browser', 'person_id', 'person')}
  )`,
  'create index alert_browser_person_id_index on alert_browser (person_id)',

  // What an authenticator signs, once and within 5 minutes. Without `person_id` somebody signs in.
  `create table passkey_challenge (
    hash text primary key, person_id int, expires_at timestamptz(3) not null,
    ${reference('passkey_challenge', 'person_id', 'person')}
  )`,
  'create index passkey_challenge_person_id_index on passkey_challenge (person_id)',
  'create index passkey_challenge_expires_at_index on passkey_challenge (expires_at)',

  // What an identity provider calls a person: an address can be given to somebody else, a subject cannot.
  `create table identity (
    issuer text not null, subject text not null, person_id int not null, created_at timestamptz(3) not null,
    primary key (issuer, subject),
    ${reference('identity', 'person_id', 'person')}
  )`,
  'create index identity_person_id_index on identity (person_id)',

  // Sign-ins that have begun at an identity provider, each bound to a browser by a cookie.
  `create table identity_request (
    hash text primary key, state text not null, nonce text not null, code_verifier text not null,
    return_to text not null, expires_at timestamptz(3) not null
  )`,
  'create index identity_request_expires_at_index on identity_request (expires_at)',

  `create table token (
    id serial primary key, label text not null, hash text not null, prefix text, last_four text,
    role text not null, page_ids text[], reads_everything boolean not null default false,
    person_id int, maker_id int,
    created_at timestamptz(3) not null, expires_at timestamptz(3), last_used_at timestamptz(3),
    revoked_at timestamptz(3),
    constraint token_hash_unique unique (hash),
    ${reference('token', 'person_id', 'person')},
    ${reference('token', 'maker_id', 'token', 'set null')}
  )`,
  'create index token_person_id_index on token (person_id)',
  'create index token_maker_id_index on token (maker_id)',

  // Signed tokens that count once and were used, until they would expire.
  'create table used_access_token (hash text primary key, expires_at timestamptz(3) not null)',
  'create index used_access_token_expires_at_index on used_access_token (expires_at)',

  // No foreign key to the page: all are deleted soon.
  `create table access_try (
    page_id text not null, network text not null, tries int not null, expires_at timestamptz(3) not null,
    primary key (page_id, network)
  )`,
  'create index access_try_expires_at_index on access_try (expires_at)',

  // No foreign key to the page: the log outlives it.
  `create table audit_entry (
    id bigserial primary key, page_id text, at timestamptz(3) not null, actor_kind text not null, actor text not null,
    interface text not null, operation text not null, subject text, subject_id text, request_id text,
    publication_id int
  )`,
  'create index audit_entry_page_id_id_index on audit_entry (page_id, id)',
  'create index audit_entry_at_index on audit_entry (at)',

  // No foreign key to the entry: both are inserted by one statement, and deleted by one.
  `create table audit_change (
    id bigserial primary key, entry_id bigint not null,
    record text not null, record_id text not null, field text not null, before text, after text
  )`,
  'create index audit_change_entry_id_index on audit_change (entry_id)',

  // Demonstration data, so that exactly this is deleted with it.
  `create table demo_record (
    page_id text not null, kind text not null, record_id text not null,
    primary key (page_id, kind, record_id),
    ${reference('demo_record', 'page_id', 'page')}
  )`,

  // Which record here came from which record of another product, and a hash of what that product said of it, so that a
  // second import updates and doubles nothing. A row outlives its record: what was deleted here is not imported again.
  `create table import_source (
    page_id text not null, source text not null, kind text not null, source_id text not null,
    record_id int not null, fingerprint text not null,
    primary key (page_id, source, kind, source_id),
    ${reference('import_source', 'page_id', 'page')}
  )`,
  // Addresses of before lead to the notice that was imported.
  'create index import_source_page_id_source_id_index on import_source (page_id, source_id)',

  // The first response to a POST with an Idempotency-Key, kept for 24 hours. `id` is a hash of the caller's key, the
  // path and the Idempotency-Key; `fingerprint` of the merged parameters. `counted_caller` and `counted_bytes`: of a
  // large response, which counts for its caller; of others null.
  `create table idempotent_response (
    id text primary key, fingerprint text not null,
    status int not null, headers jsonb not null, body text not null,
    created_at timestamptz(3) not null,
    counted_caller text, counted_bytes int
  )`,
  'create index idempotent_response_created_at_index on idempotent_response (created_at)',
  `create index idempotent_response_counted_caller_index on idempotent_response (counted_caller, created_at)
   include (counted_bytes) where counted_caller is not null`,

  // Pages that were deleted since another installation has them: redirects keep their addresses.
  `create table moved_page (
    page_id text primary key, url text not null, domain text, hook_hashes text[] not null,
    moved_at timestamptz(3) not null
  )`,

  // That a transaction changed a page, for the other processes. `created_at` is shortly before the commit. No foreign
  // key, since deleting a page is a change, too, without a `change_count`.
  `create table page_change (
    id bigserial, page_id text not null, created_at timestamptz(3) not null, change_count int,
    primary key (page_id, id)
  )`,
  'create index page_change_created_at_index on page_change (created_at)',
];
