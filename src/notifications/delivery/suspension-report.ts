import { defaultColours } from '../../branding/colour.js';
import type { Database } from '../../db/database.js';
import { poll } from '../../db/poll.js';
import type { Locale } from '../../i18n/locales.js';
import { getTranslator } from '../../i18n/translator.js';
import { publicUrlSql } from '../../pages/public-url.js';
import { pageOwnersSql } from '../../people/page-owners.js';
import { type ChannelName, channelByName } from '../channels/registry.js';
import { composeSuspensionMail } from '../messages/operator-mails.js';
import { composeWebhookFailureMail } from '../messages/visitor-messages.js';

/** Throws if the mail could not be sent. */
export type SendReport = (mail: ReturnType<typeof composeSuspensionMail>) => Promise<void>;

interface Suspended {
  id: number;
  pageId: string;
  pageName: string;
  pageAddress: string;
  channel: ChannelName;
  address: string;
  webhookId: number | null;
  response: string;
  /** Of a page, or who subscribed the webhook: nobody, if it is a chat. */
  recipients: string[];
  isSubscription: boolean;
  locale: Locale;
}

/** Marked before the mail is sent: of several processes one reports a suspension, and a crash loses a mail at most. */
const takeSql = `
  with due as (
    select id from recipient_refusals where suspended_at is not null and reported_at is null
    order by page_id, id limit 500 for update skip locked
  )
  update recipient_refusals rr set reported_at = clock_timestamp()
  from due join recipient_refusals row on row.id = due.id join page p on p.id = row.page_id
    left join webhook w on w.id = row.webhook_id
  where rr.id = due.id
  returning rr.id, rr.page_id as "pageId", p.name as "pageName", ${publicUrlSql('p.id')} as "pageAddress",
    p.locale, rr.channel, rr.address, rr.webhook_id as "webhookId", rr.response,
    w.url_hash is not null as "isSubscription",
    case when w.url_hash is null then array(${pageOwnersSql('p.id')} order by 1)
      else array_remove(array[w.contact], null) end as recipients`;

/** The link by which a webhook that a visitor subscribed is called again. */
export type CreateWebhookLink = (page: { id: string; address: string }, webhookId: number) => Promise<string>;

/**
 * Reports each new suspension once: to the operator and to the owners of its page, or to who subscribed the webhook.
 * One mail a page and recipient, since owners of some pages are not to know those of all. Returns the number of mails.
 */
export async function reportSuspensions(
  database: Database,
  operator: string,
  send: SendReport,
  createWebhookLink: CreateWebhookLink,
): Promise<number> {
  const suspended = await database.query<Suspended>(takeSql);
  const groups = Map.groupBy(suspended, one => (one.isSubscription ? `webhook ${one.webhookId}` : one.pageId));
  const failures: unknown[] = [];
  let count = 0;
  for (const group of groups.values()) {
    const mails = group[0]!.isSubscription
      ? await composeForSubscriber(group[0]!, createWebhookLink)
      : composeForOwners(group, operator);
    let sent = 0;
    for (const mail of mails)
      await send(mail).then(
        () => (sent += 1),
        error => failures.push(error),
      );
    count += sent;
    // Those who got the mail do not get it again.
    if (sent || !mails.length) continue;
    const ids = group.map(({ id }) => id);
    await database.query('update recipient_refusals set reported_at = null where id = any($1::integer[])', [ids]);
  }
  if (failures.length) throw failures[0];
  return count;
}

function composeForOwners(suspended: readonly Suspended[], operator: string) {
  const { pageId, pageName, pageAddress, recipients } = suspended[0]!;
  const page = { id: pageId, name: pageName, address: pageAddress };
  const to = new Set([...(operator ? [operator.toLowerCase()] : []), ...recipients]);
  return [...to].map(one => composeSuspensionMail(one, page, suspended.map(toRecipient)));
}

async function composeForSubscriber(
  { pageId, pageName, pageAddress, locale, address, webhookId, recipients }: Suspended,
  createLink: CreateWebhookLink,
) {
  const url = await createLink({ id: pageId, address: pageAddress }, webhookId!);
  const page = { name: pageName, address: pageAddress, brand: defaultColours };
  const request = { page, translator: getTranslator(locale) };
  return recipients.map(to => composeWebhookFailureMail({ ...request, to }, address, url));
}

function toRecipient({ channel, address, webhookId, response }: Suspended) {
  const { label } = channelByName[channel];
  return { name: label === address ? label : `${label}: ${address}`, webhookId, response };
}

const pollIntervalMs = 60_000;

export const startSuspensionReports = (
  database: Database,
  ...options: [operator: string, send: SendReport, createWebhookLink: CreateWebhookLink]
): (() => Promise<void>) =>
  poll(
    () => reportSuspensions(database, ...options),
    pollIntervalMs,
    'suspended recipients could not be reported',
    database.log,
  );
