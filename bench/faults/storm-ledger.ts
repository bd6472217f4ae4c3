import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultEnvironment } from './environment.ts';
import type { Acknowledged } from './storm-clients.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** What acknowledged requests have brought, by what the receivers have accepted. */
export interface Comparison {
  /** Acknowledged notices and alerts. */
  published: number;
  alerts: number;
  /** Notices and drafts that are not there, or whose state is not that of their alert; those that were made twice. */
  lostWrites: number;
  doubledWrites: number;
  /** One to each subscriber for each notice; where it is over, that of the end, which replaces one that waits. */
  mails: number;
  lostMails: number;
  /** One to each operator for each draft, and to the owner for each deadline and for the month. */
  operatorMails: number;
  lostOperatorMails: number;
  /** The same. */
  webhooks: number;
  lostWebhooks: number;
  /** What was refused at first, by 451 or 500. */
  refused: number;
  /** What arrived again, and what of it its receiver cannot recognize by its Message-ID or webhook-id. */
  repeated: number;
  unrecognizable: number;
}

/** Those who may publish. */
export const operators = { owner: 'operator1@example.net', publisher: 'operator2@example.net' };

/**
 * Waits until nothing is left to send, with what waits for its next attempt made due. A mail to an operator that is
 * due in almost 120 s may be in a process that lives.
 */
export async function waitUntilSent(environment: FaultEnvironment): Promise<void> {
  const until = performance.now() + 240_000;
  for (let quiet = 0; quiet < 3 && performance.now() < until; ) {
    await sleep(1_000);
    await environment.makeRetriesDue();
    await environment.query(
      `update operator_mail set due_at = clock_timestamp()
       where due_at > clock_timestamp() and due_at - clock_timestamp() not between interval '100 s' and interval '120 s'`,
    );
    const unfinished = await environment.countUnfinished();
    const [row] = await environment.query<{ n: number }>(
      `select ((select count(*) from operator_mail)
         + (select count(*) from alert_group where latest_draft_id is distinct from reported_draft_id)
         + (select count(*) from next_update_deadline where settled_at is null and reminded_at is null))::integer as n`,
    );
    quiet = unfinished + row!.n === 0 ? quiet + 1 : 0;
  }
}

export async function compare(
  { query, receiver }: FaultEnvironment,
  webhook: WebhookReceiver,
  { published, deadlines, drafted, opened, resolved }: Acknowledged,
  subscribers: number,
): Promise<Comparison> {
  const named = [...published, ...deadlines];
  // Notices by their subject, those of alerts by the title of the alert, and alerts of which a draft was made.
  const written = await query<{ name: string; state: string; noticeId: number | null; count: number }>(
    `select coalesce(g.title, n.subject) as name, min(n.state) as state, min(n.id) as "noticeId", count(*)::integer
     from notice n left join alert_group g on g.notice_id = n.id group by 1
     union all
     select title, 'draft', null, count(*)::integer from alert_group where latest_draft_id is not null group by 1`,
  );
  const byName = new Map(written.map(row => [row.name, row]));
  const ledger = await query<{ channel: string; id: string; event: string; noticeId: number }>(
    `select d.channel, d.message_id as id, p.event, p.notice_id as "noticeId"
     from delivery d join publication p on p.id = d.publication_id`,
  );
  const toId = ({ channel, id }: (typeof ledger)[number]) => (channel === 'webhook' ? toWebhookId(id) : id);
  const known = new Set(ledger.map(toId));

  const arrived = Map.groupBy(receiver.accepted, ({ to }) => to);
  const countLost = (to: string, names: readonly string[]) =>
    names.filter(name => !arrived.get(to)?.some(({ subject }) => subject.includes(name))).length;
  const addresses = Array.from({ length: subscribers }, (_, index) => `n${index + 1}@example.com`);
  const ofSubscribers = addresses.flatMap(address => arrived.get(address) ?? []);
  const ofOperators = Object.values(operators).flatMap(address => arrived.get(address) ?? []);
  const hooked = new Set(webhook.accepted.map(({ subject }) => subject));
  const ids = new Set([...ofSubscribers.map(({ messageId }) => messageId), ...webhook.accepted.map(({ id }) => id)]);
  /** Of notices of alerts, which have the subject of their template: of those that are over, their last message. */
  const countArrived = (of: string) => {
    const expected = new Map(
      opened.map(name => [byName.get(name)?.noticeId, resolved.includes(name) ? 'closed' : 'opened']),
    );
    const rows = ledger.filter(({ channel, event, noticeId }) => channel === of && expected.get(noticeId) === event);
    return new Set(rows.map(toId).filter(id => ids.has(id))).size;
  };
  const forOwner = [...drafted, ...deadlines, 'Report for '];
  return {
    published: published.length + deadlines.length,
    alerts: drafted.length + opened.length + resolved.length,
    lostWrites:
      [...named, ...opened].filter(name => byName.get(name)?.noticeId == null).length +
      drafted.filter(name => !byName.has(name)).length +
      resolved.filter(name => byName.get(name)?.state !== 'resolved').length,
    doubledWrites: written.filter(({ count }) => count > 1).length,
    mails: (named.length + opened.length) * subscribers,
    lostMails:
      addresses.reduce((sum, address) => sum + countLost(address, named), 0) +
      (opened.length * subscribers - countArrived('email')),
    operatorMails: forOwner.length + drafted.length,
    lostOperatorMails: countLost(operators.owner, forOwner) + countLost(operators.publisher, drafted),
    webhooks: named.length + opened.length,
    lostWebhooks: named.filter(name => !hooked.has(name)).length + (opened.length - countArrived('webhook')),
    refused: receiver.refused + webhook.refused,
    repeated:
      countRepeated(ofSubscribers.map(({ to, messageId }) => `${to} ${messageId}`)) +
      countRepeated(ofOperators.map(({ to, subject }) => `${to} ${subject}`)) +
      countRepeated(webhook.accepted.map(({ id }) => id)),
    unrecognizable: [...ids].filter(id => !known.has(id)).length,
  };
}

const toWebhookId = (messageId: string) => `msg_${messageId.replace(/[<>]|@.*$/g, '')}`;
const countRepeated = (keys: readonly string[]) => keys.length - new Set(keys).size;
