import type { Database } from '../../db/database.js';
import { poll } from '../../db/poll.js';
import { publicUrlSql } from '../../pages/public-url.js';
import { pageOwnersSql } from '../../people/page-owners.js';
import { type ChannelName, channelByName } from '../channels/registry.js';
import { composeSuspensionMail } from '../messages/operator-mails.js';

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
  owners: string[];
}

/** Marked before the mail is sent: of several processes one reports a suspension, and a crash loses a mail at most. */
const takeSql = `
  with due as (
    select id from recipient_refusals where suspended_at is not null and reported_at is null
    order by page_id, id limit 500 for update skip locked
  )
  update recipient_refusals rr set reported_at = clock_timestamp()
  from due, page p where rr.id = due.id and p.id = rr.page_id
  returning rr.id, rr.page_id as "pageId", p.name as "pageName", ${publicUrlSql('p.id')} as "pageAddress",
    rr.channel, rr.address, rr.webhook_id as "webhookId", rr.response,
    array(${pageOwnersSql('p.id')} order by 1) as owners`;

/**
 * Reports each new suspension once, to the operator and to the owners of its page: one mail a page and recipient, since
 * owners of some pages are not to know those of all. Returns the number of mails.
 */
export async function reportSuspensions(database: Database, operator: string, send: SendReport): Promise<number> {
  const recipients = await database.query<Suspended>(takeSql);
  const pages = [...Map.groupBy(recipients, ({ pageId }) => pageId).values()];
  const failures: unknown[] = [];
  let count = 0;
  for (const suspended of pages) {
    const { pageId, pageName, pageAddress } = suspended[0]!;
    const page = { id: pageId, name: pageName, address: pageAddress };
    const recipients = new Set([...(operator ? [operator.toLowerCase()] : []), ...suspended[0]!.owners]);
    let sent = 0;
    for (const to of recipients)
      await send(composeSuspensionMail(to, page, suspended.map(toRecipient))).then(
        () => (sent += 1),
        error => failures.push(error),
      );
    count += sent;
    // Those who got the mail do not get it again.
    if (sent || !recipients.size) continue;
    const ids = suspended.map(({ id }) => id);
    await database.query('update recipient_refusals set reported_at = null where id = any($1::integer[])', [ids]);
  }
  if (failures.length) throw failures[0];
  return count;
}

function toRecipient({ channel, address, webhookId, response }: Suspended) {
  const { label } = channelByName[channel];
  return { name: label === address ? label : `${label}: ${address}`, webhookId, response };
}

const pollIntervalMs = 60_000;

export const startSuspensionReports = (database: Database, operator: string, send: SendReport): (() => Promise<void>) =>
  poll(
    () => reportSuspensions(database, operator, send),
    pollIntervalMs,
    'suspended recipients could not be reported',
    database.log,
  );
