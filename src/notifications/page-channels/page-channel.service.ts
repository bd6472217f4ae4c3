import { randomUUID } from 'node:crypto';
import { type Checks, checkText, isBlank } from '../../core/validation.js';
import { mailDomain, settings } from '../../core/config.js';
import type { Database, EntityManager } from '../../db/connection.js';
import { query } from '../../db/prepared-statements.js';
import type { Unit, Writer } from '../../records/writer.js';
import { Refusal, text } from '../../core/errors.js';
import { testPicture } from '../messages/test-message.js';
import type { Outcome, Outgoing } from '../channels/channel.js';
import { emailAddress, phoneNumber } from '../../subscribers/address.js';
import { Brand } from '../../branding/brand.entity.js';
import { type Channel, configuredSql, type PageChannelName, pageChannels } from './channel-names.js';
import { colourNames } from '../../branding/brand.entity.js';
import type { Locale } from '../../i18n/locales.js';
import { Page } from '../../pages/page.entity.js';
import type { ConfigureChannel, TestChannel } from './page-channel.inputs.js';
import { publicAddressSql } from '../../pages/public-url.js';
import { zoneOf } from '../../pages/time-zones.js';

/** Sends one message at once. */
export type SendAtOnce = (channel: Channel, message: Outgoing) => Promise<Outcome>;

let sendAtOnce: SendAtOnce | undefined;

/** Channels are an edge, which brings the sending along when the service is put together. */
export function testChannelsWith(send: SendAtOnce): void {
  sendAtOnce = send;
}

type Target = Record<string, string>;

export function configureChannel(
  write: Writer,
  pageId: string,
  { channel, url, token }: ConfigureChannel,
): Promise<void> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    if (!isOfPage(channel)) unit.checks.refuse('channel', text.notIncluded);
    const address = addressOf(unit.checks, url);
    const target: Target = { url: address?.href ?? '' };
    if (channel === 'social' && address) {
      target.url = address.origin;
      target.token = await tokenOf(unit, page.id, target.url, token);
    }
    unit.checks.pass();
    await query(
      unit.em,
      `insert into channel_target (page_id, channel, target) values ($1, $2, $3::jsonb)
       on conflict (page_id, channel) do update set target = excluded.target, tested_at = null, test_outcome = null, test_answer = null`,
      [page.id, channel, JSON.stringify(target)],
    );
  });
}

export function removeChannel(write: Writer, pageId: string, channel: Channel): Promise<void> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    if (!isOfPage(channel)) unit.checks.refuse('channel', text.notIncluded);
    unit.checks.pass();
    const gone = await query(
      unit.em,
      'delete from channel_target where page_id = $1 and channel = $2 and target is not null returning 1',
      [page.id, channel],
    );
    if (!gone.length) throw notConfigured();
  });
}

/** Sends a test, waits for what the other side says, and keeps it. No transaction is open meanwhile. */
export async function testChannel(write: Writer, pageId: string, input: TestChannel): Promise<Outcome> {
  const { channel } = input;
  const message = await write.transaction(unit => messageOf(unit, pageId, input));
  if (!sendAtOnce) throw new Error('Nobody brought the channels.');
  const outcome = await sendAtOnce(channel, message);
  await write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    // A channel that was removed meanwhile is not to come back; that of the service has no row before its first test.
    await query(
      unit.em,
      `insert into channel_target (page_id, channel, tested_at, test_outcome, test_answer)
       select $1, $2, $3::timestamptz, $4, $5 where not $6 or exists (select 1 from channel_target where page_id = $1 and channel = $2)
       on conflict (page_id, channel) do update set tested_at = excluded.tested_at, test_outcome = excluded.test_outcome, test_answer = excluded.test_answer`,
      [page.id, channel, unit.now.toISOString(), outcome.kind, outcome.answer, isOfPage(channel)],
    );
  });
  return outcome;
}

/** For the worker: what a channel of a page needs to be reached; null when it is not there any more. */
export async function targetOf(
  database: Pick<Database, 'query'>,
  pageId: string,
  channel: Channel,
): Promise<Target | null> {
  const [row] = await database.query<{ target: Target | null }>(
    'select target from channel_target where page_id = $1 and channel = $2',
    [pageId, channel],
  );
  return row?.target ?? null;
}

/** Which of these channels are configured on a page. */
export async function configuredChannels(
  em: EntityManager,
  pageId: string,
  asked: readonly Channel[],
): Promise<Set<Channel>> {
  if (!asked.length) return new Set();
  const columns = asked.map(channel => `${configuredSql(channel, '$1::text')} as "${channel}"`);
  const [row] = await query<Record<string, boolean>>(em, `select $1::text as page, ${columns.join(', ')}`, [pageId]);
  return new Set(asked.filter(channel => row![channel]));
}

const isOfPage = (channel: Channel): channel is PageChannelName =>
  (pageChannels as readonly Channel[]).includes(channel);

const notConfigured = () => new Refusal('CONFLICT', 'This channel is not configured.');

/** A login does not belong into an address: it would be seen wherever the address is. Which networks it may lead to is looked at when it is called. */
function addressOf(checks: Checks, given: string): URL | null {
  const value = given.trim();
  checkText(checks, 'url', value, 2_000);
  const url = URL.canParse(value) ? new URL(value) : null;
  const isWeb = url?.protocol === 'https:' || (settings.allowPrivateTargets && url?.protocol === 'http:');
  if (isBlank(value)) checks.refuse('url', text.blank);
  else if (!url || !isWeb || !url.hostname || url.username || url.password) checks.refuse('url', text.invalid);
  else return url;
  return null;
}

/** A token stays when none is given, but for another server, which would learn it. */
async function tokenOf(unit: Unit, pageId: string, server: string, given: string | null | undefined): Promise<string> {
  if (!isBlank(given)) {
    const token = given!.trim();
    if (!/^[\x21-\x7e]{1,1000}$/.test(token)) unit.checks.refuse('token', text.invalid);
    return token;
  }
  const [row] = await query<{ target: Target | null }>(
    unit.em,
    `select target from channel_target where page_id = $1 and channel = 'social'`,
    [pageId],
  );
  if (row?.target?.url === server && row.target.token) return row.target.token;
  unit.checks.refuse('token', text.blank);
  return '';
}

async function messageOf(unit: Unit, pageId: string, { channel, to }: TestChannel): Promise<Outgoing> {
  const page = await unit.find<Page>([[Page, pageId]]);
  if (!(await configuredChannels(unit.em, page.id, [channel])).has(channel)) throw notConfigured();
  const address = isOfPage(channel) ? channel : addresseeOf(unit.checks, channel, to);
  unit.checks.pass();
  const brand = await unit.em.findOneOrFail(Brand, { page: page.id });
  const [row] = await query<{ address: string; target: Target | null }>(
    unit.em,
    `select ${publicAddressSql('p.id')} as address, t.target from page p left join channel_target t on t.page_id = p.id and t.channel = $2 where p.id = $1`,
    [page.id, channel],
  );
  const { id, name, timezone, supportEmail } = page;
  const colours = Object.fromEntries(
    colourNames.map(colour => [colour, brand[colour]]),
  ) as Outgoing['picture']['page']['brand'];
  const look = {
    id,
    name,
    locale: page.locale as Locale,
    timezone,
    zone: zoneOf(timezone),
    address: row!.address,
    supportEmail,
    brand: colours,
  };
  return {
    deliveryId: 'test',
    messageId: `<${randomUUID()}@${mailDomain()}>`,
    picture: testPicture(look, unit.now.toISOString()),
    recipient: { address, subscriberId: null, unsubscribe: null, preferences: null, thread: null, target: row!.target },
  };
}

function addresseeOf(checks: Checks, channel: 'email' | 'sms', to: string | null | undefined): string {
  const address = isBlank(to) ? null : channel === 'email' ? emailAddress(to!) : phoneNumber(to!);
  if (!address) checks.refuse('to', isBlank(to) ? text.blank : text.invalid);
  return address ?? '';
}
