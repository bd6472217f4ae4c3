import { defaultColours } from '../branding/colour.js';
import { escapeHtml } from '../core/escape-html.js';
import type { Database } from '../db/connection.js';
import { poll } from '../db/poll.js';
import { getTranslator } from '../i18n/translator.js';
import { publicUrlSql } from '../pages/public-url.js';
import { pageOwnersSql } from '../people/page-owners.js';
import { type ChannelName, channelByName } from './channels/registry.js';
import { createMailColourSchemes } from './messages/mail-colours.js';
import { element, renderMailFrame } from './messages/mail-frame.js';

/** A mail to an operator; throws if it could not be sent. */
export type SendReport = (mail: {
  to: string;
  pageName: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}) => Promise<void>;

interface Suspended {
  id: number;
  pageId: string;
  pageName: string;
  pageAddress: string;
  channel: ChannelName;
  address: string;
  response: string;
  /** The addresses of those who own the page. */
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
    rr.channel, rr.address, rr.response,
    array(${pageOwnersSql('p.id')} order by 1) as owners`;

/**
 * Reports each new suspension once, to the operator and to the owners of its page: one mail a page and recipient, since
 * owners of some pages are not to know those of all. Returns the number of mails.
 */
export async function reportSuspensions(database: Database, operator: string, send: SendReport): Promise<number> {
  const taken = await database.query<Suspended>(takeSql);
  const pages = [...Map.groupBy(taken, ({ pageId }) => pageId).values()];
  const failures: unknown[] = [];
  let count = 0;
  for (const suspended of pages) {
    const recipients = new Set([...(operator ? [operator.toLowerCase()] : []), ...suspended[0]!.owners]);
    let sent = 0;
    for (const to of recipients)
      await send(composeReport(to, suspended)).then(
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

/** In English, like everything that is for operators. */
function composeReport(to: string, suspended: readonly Suspended[]): Parameters<SendReport>[0] {
  const { pageName, pageAddress, pageId } = suspended[0]!;
  const count = suspended.length === 1 ? '1 recipient is' : `${suspended.length} recipients are`;
  const subject = `${count} suspended: ${pageName}`;
  const intro =
    'Each refused three messages in a row as to nobody, and is not sent to until the subscription is confirmed again, ' +
    'the channel is configured anew, or you lift the suspension:';
  const lines = suspended.map(({ channel, address, response }) => {
    const { label } = channelByName[channel];
    return { recipient: label === address ? label : `${label}: ${address}`, response };
  });
  const hint = `mutation { liftSuspension(pageId: "${pageId}", input: { channel: ... }) { page { id } } }`;
  const colours = createMailColourSchemes(defaultColours, 'warn');
  const { light } = colours;
  const paragraph = (html: string) =>
    element('p', 'text', `margin:12px 0 0;font-size:16px;line-height:1.55;color:${light.text}`, html);
  const muted = (text: string) => element('span', 'muted', `color:${light.muted}`, escapeHtml(text));
  return {
    to,
    pageName,
    subject,
    text: [intro, ...lines.map(({ recipient, response }) => `${recipient}\n${response}`), hint, pageAddress].join(
      '\n\n',
    ),
    html: renderMailFrame({
      title: subject,
      preview: lines.map(({ recipient }) => recipient).join(', '),
      pageName,
      images: undefined,
      pageAddress,
      body: [
        element('h1', 'text', `margin:0;font-size:24px;line-height:1.3;color:${light.text}`, escapeHtml(subject)),
        paragraph(escapeHtml(intro)),
        ...lines.map(({ recipient, response }) => paragraph(`${escapeHtml(recipient)}<br>${muted(response)}`)),
      ].join('\n'),
      footer: [escapeHtml(hint)],
      colours,
      translator: getTranslator('en'),
    }),
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

const pollIntervalMs = 60_000;

/** Returns what stops it. */
export const startSuspensionReports = (database: Database, operator: string, send: SendReport): (() => Promise<void>) =>
  poll(
    () => reportSuspensions(database, operator, send),
    pollIntervalMs,
    'suspended recipients could not be reported',
    database.log,
  );
