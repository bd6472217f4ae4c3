import { defaultColours } from '../../pages/branding/colour.js';
import type { Database } from '../../db/database.js';
import type { Locale } from '../../i18n/locales.js';
import { getTranslator } from '../../i18n/translator.js';
import { publicUrlSql } from '../../pages/public-url.js';
import { pageOwnersSql } from '../../people/page-owners.js';
import { type ChannelName, channelByName } from '../channels/registry.js';
import { composeSuspensionMail } from '../messages/operator-mails.js';
import { composeWebhookFailureMail } from '../messages/visitor-messages.js';
import { type OperatorMails, queueMailsSql, toOwnersAndOperator } from '../operator-mail/operator-mail.js';

interface Suspended {
  pageId: string;
  pageName: string;
  pageAddress: string;
  channel: ChannelName;
  address: string;
  webhookId: number | null;
  response: string;
  locale: Locale;
  /** Of who subscribed the webhook; null for a chat, and for recipients of the page. */
  contact: string | null;
  owners: string[];
}

/** SQL: marks the recipients that were suspended since the last time, of webhooks of visitors or of all others. */
const reportedSql = (isSubscription: boolean, key: string): string => `
  with due as (
    select rr.id from recipient_refusals rr left join webhook w on w.id = rr.webhook_id
    where rr.suspended_at is not null and rr.reported_at is null and (w.url_hash is not null) = ${isSubscription}
    order by rr.page_id, rr.id limit 500 for update of rr skip locked
  ), reported as (
    update recipient_refusals rr set reported_at = $1 from due where rr.id = due.id
    returning rr.page_id, ${key} as record_key
  )`;

/** One mail a page and recipient, since owners of some pages are not to know those of all. */
const planSql = `
  ${reportedSql(false, 'rr.reported_at::text')},
  operator as (
    insert into operator_mail (kind, page_id, record_key, due_at)
    select distinct 'suspension', page_id, record_key, $1::timestamptz from reported
    on conflict do nothing
  )
  ${queueMailsSql('suspension', 'reported', pageOwnersSql('reported.page_id'))}`;

const planOfWebhooksSql = `
  ${reportedSql(true, 'rr.id::text')}
  insert into operator_mail (kind, page_id, record_key, due_at)
  select 'webhook_suspension', page_id, record_key, $1 from reported on conflict do nothing`;

const findSql = (condition: string): string => `
  select rr.page_id as "pageId", p.name as "pageName", ${publicUrlSql('p.id')} as "pageAddress", p.locale, rr.channel,
    rr.address, rr.webhook_id as "webhookId", rr.response, w.contact,
    array(${pageOwnersSql('p.id')} order by 1) as owners
  from recipient_refusals rr join page p on p.id = rr.page_id left join webhook w on w.id = rr.webhook_id
  where rr.page_id = $1 and rr.suspended_at is not null and ${condition} order by rr.id`;
const findOfPageSql = findSql('rr.reported_at = $2::timestamptz and w.url_hash is null');
const findOfWebhookSql = findSql('rr.id = $2::integer');

/** A mail about the recipients that were suspended since the last one, to the operator and the owners of the page. */
export const createSuspensionMails = (
  { query }: Pick<Database, 'query'>,
  operator: string,
  consoleOrigin: string,
): OperatorMails => ({
  kind: 'suspension',
  plan: now => query(planSql, [now]),
  async describe(pageId, reportedAt) {
    const suspended = await query<Suspended>(findOfPageSql, [pageId, reportedAt]);
    if (!suspended.length) return null;
    const [{ pageName, pageAddress, owners }] = suspended as [Suspended];
    const page = { name: pageName, address: pageAddress };
    const url = `${consoleOrigin}/console/pages/${pageId}/${toScreen(suspended)}`;
    return {
      ...toOwnersAndOperator(owners, operator),
      compose: to => composeSuspensionMail(to, page, suspended.map(toRecipient), url),
    };
  },
});

/** The link by which a webhook that a visitor subscribed is called again. */
type CreateWebhookLink = (page: { id: string; address: string }, webhookId: number) => Promise<string>;

/** A mail about each webhook of a visitor that was suspended, to who subscribed it. */
export const createWebhookSuspensionMails = (
  { query }: Pick<Database, 'query'>,
  createLink: CreateWebhookLink,
): OperatorMails => ({
  kind: 'webhook_suspension',
  plan: now => query(planOfWebhooksSql, [now]),
  async describe(pageId, id) {
    const [suspended] = await query<Suspended>(findOfWebhookSql, [pageId, Number(id)]);
    if (!suspended?.contact) return null;
    const { pageName, pageAddress, locale, address, webhookId, contact } = suspended;
    const url = await createLink({ id: pageId, address: pageAddress }, webhookId!);
    const page = { name: pageName, address: pageAddress, brand: defaultColours };
    const request = { page, translator: getTranslator(locale) };
    return { people: [], other: contact, compose: to => composeWebhookFailureMail({ ...request, to }, address, url) };
  },
});

function toRecipient({ channel, address, webhookId, response }: Suspended) {
  const { label } = channelByName[channel];
  return { name: label === address ? label : `${label}: ${address}`, webhookId, response };
}

/** The screen of the console that lifts suspensions: of subscribers, or else of channels and webhooks. */
function toScreen(suspended: readonly Suspended[]): string {
  const subscribers = suspended.filter(({ channel }) => channelByName[channel].recipients === 'subscribers');
  if (!subscribers.length) return 'channels';
  const [{ channel, address }] = subscribers as [Suspended];
  return subscribers.length === 1 && channel === 'email'
    ? `subscribers?search=${encodeURIComponent(address)}`
    : 'subscribers';
}
