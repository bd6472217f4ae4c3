import { isBlank, type Validation } from '../../core/validation.js';
import type { Settings } from '../../core/config.js';
import { query, queryInTransaction } from '../../db/prepared-statements.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { Refusal } from '../../core/errors.js';
import { type Problem, problems } from '../../core/problems.js';
import type { Outcome, OutgoingMessage, Target } from '../channels/channel.js';
import { type ChannelName, channelByName, channelNames } from '../channels/registry.js';
import { Page } from '../../pages/page.entity.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import { Subscriber } from '../../subscribers/subscriber.entity.js';
import type {
  ConfigureChannelInput,
  LiftSuspensionInput,
  LiftSuspensionsInput,
  TestChannelInput,
} from './page-channel.inputs.js';
import { findConfiguredChannels } from '../channels/is-configured.js';
import { loadTarget, storeTarget } from './channel-target.js';
import { composeTestMessage } from './test-message.js';
import { parseTargetUrl } from '../../http/target-url.js';
import { liftSuspension, liftSuspensions } from '../delivery/suspension.js';

export type SendImmediately = (channel: ChannelName, message: OutgoingMessage) => Promise<Outcome>;

type ChannelSettings = Pick<Settings, 'allowPrivateTargets' | 'secretsKey'>;

export function configureChannel(
  write: Writer,
  pageId: string,
  { channel, url, token }: ConfigureChannelInput,
  settings: ChannelSettings,
): Promise<void> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    if (!isPageChannel(channel)) unit.validation.addError('channel', problems.notIncluded(pageChannelNames));
    const address = parseTargetUrl(unit.validation, url, settings.allowPrivateTargets);
    const target = address && (await buildTarget(unit, settings, page.id, channel, address, token));
    unit.validation.throwIfInvalid();
    await storeTarget(queryInTransaction(unit.em), settings, { pageId: page.id, channel, target: target! });
    unit.describeChange('PageChannel', channel, { target: { after: '[redacted]' } });
    await liftSuspension(unit.em, { pageId: page.id, channel, subscriberId: null });
  });
}

export function removeChannel(write: Writer, pageId: string, channel: ChannelName): Promise<void> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    if (!isPageChannel(channel)) unit.validation.addError('channel', problems.notIncluded(pageChannelNames));
    unit.validation.throwIfInvalid();
    const removed = await query(
      unit.em,
      'delete from channel_target where page_id = $1 and channel = $2 and target is not null returning 1',
      [page.id, channel],
    );
    if (!removed.length) throw notConfiguredRefusal();
    unit.describeChange('PageChannel', channel, { target: { before: '[redacted]', after: null } });
  });
}

/** Sends a test message and stores the outcome. No transaction is open while it waits for the provider. */
export async function testChannel(
  write: Writer,
  { send, settings }: { send: SendImmediately; settings: Settings },
  pageId: string,
  input: TestChannelInput,
): Promise<Outcome> {
  const { channel } = input;
  const message = await write.readOnly(unit => buildTestMessage(unit, settings, pageId, input));
  const outcome = await send(channel, message);
  await write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    // A channel that was removed meanwhile must not reappear; e-mail and SMS have no row before their first test.
    await query(
      unit.em,
      `insert into channel_target (page_id, channel, tested_at, test_outcome, test_response)
       select $1, $2, $3::timestamptz, $4, $5
       where not $6 or exists (select 1 from channel_target where page_id = $1 and channel = $2)
       on conflict (page_id, channel) do update set tested_at = excluded.tested_at,
         test_outcome = excluded.test_outcome, test_response = excluded.test_response`,
      [page.id, channel, unit.now.toISOString(), outcome.kind, outcome.response, isPageChannel(channel)],
    );
    if (outcome.kind === 'sent' && isPageChannel(channel))
      unit.describeChange('PageChannel', channel, { target: { after: '[redacted]' } });
    if (outcome.kind === 'sent') await liftSuspension(unit.em, { pageId: page.id, channel, subscriberId: null });
  });
  return outcome;
}

/** Notifies a suspended recipient again, from the next publication on. */
export function resumeRecipient(
  write: Writer,
  pageId: string,
  { channel, subscriberId }: LiftSuspensionInput,
): Promise<void> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    refuseManyRecipients(unit.validation, channel, 'resume');
    if (isPageChannel(channel) && subscriberId != null)
      unit.validation.addError('subscriberId', problems.notApplicable('must be omitted for a channel of the page'));
    if (!isPageChannel(channel) && subscriberId == null) unit.validation.addError('subscriberId', problems.blank);
    unit.validation.throwIfInvalid();
    const subscriber = isPageChannel(channel)
      ? null
      : await unit.find<Subscriber>(pageRecordPath(page.id, Subscriber, subscriberId!));
    const isLifted = await liftSuspension(unit.em, { pageId: page.id, channel, subscriberId: subscriber?.id ?? null });
    if (!isLifted) throw new Refusal('CONFLICT', 'This recipient is not suspended.');
  });
}

/** The same for all of them, or those whose server answered the same. Returns how many. */
export const resumeRecipients = (write: Writer, pageId: string, input: LiftSuspensionsInput): Promise<number> =>
  write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    return liftSuspensions(unit.em, { pageId: page.id, ...input });
  });

const isPageChannel = (name: ChannelName): boolean => channelByName[name].recipients === 'page';

const pageChannelNames = channelNames.filter(isPageChannel);

/** Of the channels whose recipients have no address that the caller could name. */
function refuseManyRecipients(validation: Validation, name: ChannelName, action: 'test' | 'resume'): void {
  const channel = channelByName[name];
  if (channel.recipients !== 'webhooks') return;
  const requirement = `must not be ${channel.enumName}, which has any number of recipients: ${channel.ofOne[action]}`;
  validation.addError('channel', { ...problems.notApplicable(requirement), hidesValue: true });
  validation.throwIfInvalid();
}

const invalidToken: Problem = {
  ...problems.invalid('must have 1 to 1,000 characters of ASCII without blanks'),
  hidesValue: true,
};

const notConfiguredRefusal = () => new Refusal('CONFLICT', 'This channel is not configured.', { path: ['channel'] });

async function buildTarget(
  unit: Unit,
  settings: ChannelSettings,
  pageId: string,
  name: ChannelName,
  { href, origin }: URL,
  token: string | null | undefined,
): Promise<Target> {
  const channel = channelByName[name];
  return channel.recipients === 'page' && channel.credentials === 'server and token'
    ? { url: origin, token: await resolveToken(unit, settings, pageId, name, origin, token) }
    : { url: href };
}

/** Without a token the current one is kept, but not for another server, which would learn it. */
async function resolveToken(
  unit: Unit,
  settings: ChannelSettings,
  pageId: string,
  channel: ChannelName,
  server: string,
  given: string | null | undefined,
): Promise<string> {
  if (!isBlank(given)) {
    const token = given!.trim();
    if (!/^[\x21-\x7e]{1,1000}$/.test(token)) unit.validation.addError('token', invalidToken);
    return token;
  }
  const target = await loadTarget(queryInTransaction(unit.em), settings, pageId, channel);
  if (target?.url === server && target.token) return target.token;
  unit.validation.addError('token', problems.blank);
  return '';
}

async function buildTestMessage(
  unit: Unit,
  settings: Settings,
  pageId: string,
  { channel, to }: TestChannelInput,
): Promise<OutgoingMessage> {
  const page = await unit.find<Page>([[Page, pageId]]);
  refuseManyRecipients(unit.validation, channel, 'test');
  if (!(await findConfiguredChannels(unit.em, page.id, [channel])).has(channel)) throw notConfiguredRefusal();
  const address = resolveTestAddress(unit.validation, channel, to);
  unit.validation.throwIfInvalid();
  const target = await loadTarget(queryInTransaction(unit.em), settings, page.id, channel);
  return composeTestMessage(unit, settings, page, { address, target });
}

function resolveTestAddress(validation: Validation, name: ChannelName, to: string | null | undefined): string {
  const channel = channelByName[name];
  if (channel.recipients !== 'subscribers') return channel.label;
  const address = isBlank(to) ? null : channel.parseAddress(to!);
  if (!address)
    validation.addError(
      'to',
      isBlank(to) ? problems.blank : problems.invalid(`must be an address of ${channel.label}`),
    );
  return address ?? '';
}
