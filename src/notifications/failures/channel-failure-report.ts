import type { Database } from '../../db/database.js';
import type { BackgroundTask } from '../../db/poll.js';
import { publicUrlSql } from '../../pages/public-url.js';
import { pageOwnersSql } from '../../people/page-owners.js';
import { type ChannelName, channelByName } from '../channels/registry.js';
import { maskAddresses } from '../channels/refusals.js';
import { deathReasons } from '../delivery/delivery.states.js';
import { composeChannelFailureMail, describeFailingChannel } from '../messages/operator-mails.js';
import { type OperatorMails, queueMailsSql, toOwnersAndOperator } from '../operator-mail/operator-mail.js';

/**
 * A failing channel is reported once to the operator and to the owners of the page: by push messages to the browsers in
 * which they are signed in, and by mail to those who have none, or where mail is not what fails. A mail that is refused
 * itself is tried again.
 */

type Run = Pick<Database, 'query'>;

interface Failure {
  pageId: string;
  pageName: string;
  pageAddress: string;
  channel: ChannelName;
  response: string;
  sent: number;
  waiting: number;
  returned: number;
  owners: string[];
}

const hasBrowserSql = (email: string) => `exists (
  select from alert_browser b join person o on o.id = b.person_id
  where lower(o.email) = ${email} and o.disabled_at is null)`;

/** SQL: the addresses to which the failure in `source` is mailed, as `email`. */
const mailedSql = (source: string) => `
  select owner.email from (${pageOwnersSql(`${source}.page_id`)}) owner
  where ${source}.channel <> 'email' or not ${hasBrowserSql('owner.email')}`;

/** $2: the address of the operator. Pages share a channel, about which the operator is notified once. */
const planSql = `
  with reported as (
    update channel_failure set reported_at = $1
    where reported_at is null and pushed_at is not null and ended_at is null
    returning page_id, channel, channel as record_key
  ), operator as (
    insert into operator_mail (kind, page_id, record_key, due_at)
    select distinct on (reported.channel) 'channel_failure', page_id, record_key, $1::timestamptz from reported
    where (reported.channel <> 'email' or not ${hasBrowserSql('$2::text')}) and not exists (
      select from channel_failure other where other.channel = reported.channel and other.reported_at is not null
        and (other.ended_at is null or other.ended_at > $1::timestamptz - interval '1 day'))
    order by reported.channel, page_id
    on conflict do nothing
  )
  ${queueMailsSql('channel_failure', 'reported', mailedSql('reported'))}`;

const columnsSql = `
  f.page_id as "pageId", p.name as "pageName", ${publicUrlSql('p.id')} as "pageAddress", f.channel, f.response,
  (select count(*)::integer from delivery d where d.publication_id = f.publication_id and d.channel = f.channel
    and d.state = 'sent') as sent,
  (select count(*)::integer from delivery d where d.publication_id = f.publication_id and d.channel = f.channel
    and d.state in ('pending', 'sending', 'retrying')) as waiting,
  (select count(*)::integer from delivery d where d.publication_id = f.publication_id and d.channel = f.channel
    and d.reason = '${deathReasons.channelFailed}') as returned,
  array(${pageOwnersSql('p.id')} order by 1) as owners`;

const findSql = `
  select ${columnsSql} from channel_failure f join page p on p.id = f.page_id
  where f.page_id = $1 and f.channel = $2`;

const toFailingChannel = ({ channel, response, sent, waiting, returned }: Failure) => ({
  label: channelByName[channel].label,
  response: maskAddresses(response),
  sent,
  waiting,
  returned,
});

export const createChannelFailureMails = ({ query }: Run, operator: string, consoleOrigin: string): OperatorMails => ({
  kind: 'channel_failure',
  plan: now => query(planSql, [now, operator.toLowerCase()]),
  async describe(pageId, channel) {
    const [failure] = await query<Failure>(findSql, [pageId, channel]);
    if (!failure) return null;
    const { pageName, pageAddress, owners } = failure;
    const page = { name: pageName, address: pageAddress };
    const url = `${consoleOrigin}/console/pages/${pageId}/${failure.returned ? 'deliveries' : 'channels'}`;
    return {
      ...toOwnersAndOperator(owners, operator),
      compose: to => composeChannelFailureMail(to, page, toFailingChannel(failure), url),
    };
  },
});

/** Sends a push message to the browsers in which these people are signed in. */
type PushToPeople = (emails: readonly string[], text: { title: string; body: string; tag: string }) => Promise<void>;

const takeSql = `
  with taken as (
    update channel_failure f set pushed_at = clock_timestamp() where f.pushed_at is null and f.ended_at is null
    returning f.*
  )
  select ${columnsSql} from taken f join page p on p.id = f.page_id`;

export async function pushChannelFailures({ query }: Run, operator: string, push: PushToPeople): Promise<void> {
  for (const failure of await query<Failure>(takeSql)) {
    const { pageId, pageName, channel, owners } = failure;
    const people = [...new Set([...owners, operator.toLowerCase()])].filter(Boolean);
    await push(people, {
      title: describeFailingChannel(toFailingChannel(failure)),
      body: pageName,
      tag: `failure-${channel}-${pageId}`.slice(0, 32),
    });
  }
}

export const createChannelFailurePushTask = (
  database: Database,
  operator: string,
  push: PushToPeople,
): BackgroundTask => ({
  name: 'the push of channel failures',
  intervalMs: 5_000,
  roundSeconds: 150,
  failureMessage: 'push messages about failing channels could not be sent',
  run: () => pushChannelFailures(database, operator, push),
});
