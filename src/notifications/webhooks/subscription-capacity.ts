import { getDomain } from 'tldts';
import type { EntityManager } from '../../db/database.js';
import { query } from '../../db/prepared-statements.js';
import { customerPrefix, toClientNetwork } from '../../http/client-address.js';
import { push } from '../channels/push.js';
import { isUntrusted, pushServices, targetHostSql } from '../channels/target-host.js';
import type { WebhookFormat } from '../channels/webhook-formats.js';

interface Candidate {
  format: WebhookFormat | typeof push.name;
  /** With a port, or without. */
  host: string;
}

interface Group {
  /** SQL: which rows `w` count. */
  rows: string;
  max: number;
  /** SQL: which of them may give their place away. */
  yields: string;
}

const confirmed = 'w.url_hash is not null and w.confirmed_at is not null';
/** How many webhooks and browsers visitors may subscribe to a page: each is sent every notice. */
const groups: Record<'browsers' | 'others', Group> = {
  // As many as a batch of the subscribers, since all get their deliveries at once.
  browsers: { rows: `${confirmed} and w.format = '${push.name}'`, max: 5_000, yields: 'true' },
  // A link that was posted into a chat has confirmed it.
  others: {
    rows: `${confirmed} and w.format <> '${push.name}'`,
    max: 1_000,
    yields: `w.format = 'standard'`,
  },
};

/** Visitors need not own the host of a program or a browser, and names below a domain are free. */
const maxOfDomain = 50;

/** The domain that somebody has registered, below a public suffix; of an IPv6 address the network of a customer. */
function toRegistrableDomain(host: string): string {
  const { hostname } = new URL(`https://${host}`);
  if (hostname.startsWith('[')) return toClientNetwork(hostname.slice(1, -1), customerPrefix);
  return getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
}

/** What is in the URLs of all its hosts. */
const toCommonText = (domain: string): string => (domain.includes(':') ? '[' : domain);

async function isDomainFull(em: EntityManager, pageId: string, { format, host }: Candidate): Promise<boolean> {
  const domain = toRegistrableDomain(host);
  const hosts = await query<{ host: string; count: number }>(
    em,
    `select ${targetHostSql('w.target')} as host, count(*)::integer as count from webhook w
     where w.page_id = $1 and w.format = $2 and ${confirmed} and strpos(w.target ->> 'url', $3) > 0 group by 1`,
    [pageId, format, toCommonText(domain)],
  );
  const ofDomain = hosts.filter(other => toRegistrableDomain(other.host) === domain);
  return ofDomain.reduce((sum, { count }) => sum + count, 0) >= maxOfDomain;
}

/**
 * The row that gives its place away when a page is full: none of its messages that are kept was accepted, and it has
 * refused some or is of the last day, since a page may send nothing for long. Those that have refused some come first,
 * then those of other hosts than push services, then the oldest.
 */
const yieldingSql = ({ rows, yields }: Group) => `
  select w.id from webhook w
  where w.page_id = $1 and ${rows} and ${yields}
    and not exists (select 1 from delivery d where d.webhook_id = w.id and d.state = 'sent')
    and (w.created_at > clock_timestamp() - interval '1 day'
      or exists (select 1 from recipient_refusals rr where rr.webhook_id = w.id))
  order by (select count(*) from recipient_refusals rr where rr.webhook_id = w.id) desc,
    ${targetHostSql('w.target')} ~ $2, w.id
  limit 1`;

/** Whether a page has room for another one. The caller holds the lock of the page. */
export async function hasRoom(em: EntityManager, pageId: string, candidate: Candidate): Promise<boolean> {
  return (await findRoom(em, pageId, candidate)) !== null;
}

/** The same, and makes room for it where the page is full. */
export async function takeRoom(em: EntityManager, pageId: string, candidate: Candidate): Promise<boolean> {
  const room = await findRoom(em, pageId, candidate);
  if (room?.yieldingId) await query(em, 'delete from webhook where id = $1', [room.yieldingId]);
  return room !== null;
}

async function findRoom(
  em: EntityManager,
  pageId: string,
  candidate: Candidate,
): Promise<{ yieldingId: number | null } | null> {
  if (isUntrusted(candidate) && (await isDomainFull(em, pageId, candidate))) return null;
  const group = groups[candidate.format === push.name ? 'browsers' : 'others'];
  const [row] = await query<{ count: number }>(
    em,
    `select count(*)::integer as count from webhook w where w.page_id = $1 and ${group.rows}`,
    [pageId],
  );
  if (row!.count < group.max) return { yieldingId: null };
  const [yielding] = await query<{ id: number }>(em, yieldingSql(group), [pageId, pushServices.source]);
  return yielding ? { yieldingId: yielding.id } : null;
}
