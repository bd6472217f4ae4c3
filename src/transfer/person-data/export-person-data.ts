import type { Writer } from '../../records/writer.js';
import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { describeCounts, findPerson } from './find-person.js';

/** What is stored of a person, by section. `$1` is the address, `$2` the subscribers, `$3` the account. */
const sections = {
  subscriptions: `
    select s.*, (select name from page where id = s.page_id) as page_name,
      array(select c.component_id from subscriber_component c where c.subscriber_id = s.id order by 1) as component_ids
    from subscriber s where s.id = any($2::integer[]) order by s.id`,
  deliveries: `
    select d.id, d.page_id, d.publication_id, d.notice_id, d.channel, d.address, d.state, d.reason, d.created_at,
      d.sent_at, d.message_id, p.message_snapshot #>> '{notice,subject}' as subject,
      array(select row_to_json(a) from (
        select at, outcome, response from attempt where delivery_id = d.id order by id) a) as attempts
    from delivery d join publication p on p.id = d.publication_id
    where d.page_id in (select id from page) and lower(d.address) = lower($1) or d.subscriber_id = any($2::integer[])
    order by d.id`,
  refusals: `
    select page_id, channel, address, count, response, suspended_at from recipient_refusals
    where lower(address) = lower($1) or subscriber_id = any($2::integer[]) order by id`,
  webhooks: `
    select id, page_id, format, contact, created_at, confirmed_at from webhook where lower(contact) = lower($1)
    order by id`,
  codes: `select purpose, scope, created_at, expires_at from one_time_code where subject = $1 order by id`,
  accounts: `select id, email, created_at, disabled_at from person where id = $3`,
  roles: `select page_id, role, is_mapped from membership where person_id = $3 order by id`,
  sessions: `select id, user_agent, created_at, last_seen_at, revoked_at from session where person_id = $3 order by id`,
  passkeys: `select id, name, created_at, last_used_at from passkey where person_id = $3 order by id`,
  alertBrowsers: `select id, created_at from alert_browser where person_id = $3 order by id`,
  identities: `select issuer, subject, created_at from identity where person_id = $3 order by created_at`,
  tokens: `
    select id, label, role, page_ids, created_at, expires_at, revoked_at from token where person_id = $3 order by id`,
  actions: `
    select id, at, page_id, interface, operation, subject, subject_id from audit_entry where lower(actor) = lower($1)
    order by id`,
  changes: `
    select e.at, e.operation, e.actor, c.record, c.record_id, c.field, c.before, c.after
    from audit_change c join audit_entry e on e.id = c.entry_id
    where c.record = 'Subscriber' and c.record_id = any($4::text[]) or c.before ~* $5 or c.after ~* $5 order by c.id`,
};

/** Returns all that is stored of the person with an address, as JSON with the names of the columns. */
export const exportPersonData = (write: Writer, address: string): Promise<string> =>
  write.transaction(async unit => {
    const data = await readPersonData(unit.em, address);
    const counts = Object.keys(sections).map(kind => ({ kind, count: data[kind]!.length }));
    unit.describeChange('PersonData', '', { exported: { after: describeCounts(counts) } }, null);
    return JSON.stringify(data, null, 2);
  });

async function readPersonData(em: EntityManager, text: string): Promise<Record<string, unknown[]>> {
  const { address, pattern, subscriberIds, loggedSubscriberIds, personId } = await findPerson(em, text);
  const columns = Object.entries(sections).map(
    ([name, sql]) => `'${name}', (select coalesce(json_agg(section), '[]') from (${sql}) section)`,
  );
  const [row] = await query<{ data: Record<string, unknown[]> }>(
    em,
    `select json_build_object('address', $1::text, 'exported_at', clock_timestamp(), ${columns.join(', ')}) as data`,
    [address, subscriberIds, personId, loggedSubscriberIds, pattern],
  );
  return row!.data;
}
