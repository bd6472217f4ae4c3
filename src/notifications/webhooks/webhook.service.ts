import { parseEmailAddress } from '../../core/address.js';
import { findComponents } from '../../components/find-components.js';
import type { Settings } from '../../core/config.js';
import { invalid, Refusal } from '../../core/errors.js';
import { isPossibleKey } from '../../core/ids.js';
import { problems } from '../../core/problems.js';
import { applyFields, type FieldRule } from '../../core/validation.js';
import { query, queryInTransaction } from '../../db/prepared-statements.js';
import { Page } from '../../pages/page.entity.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import type { Outcome } from '../channels/channel.js';
import { webhook as channel } from '../channels/webhook.js';
import { liftSuspensionOfWebhook } from '../delivery/suspension.js';
import type { SendImmediately } from '../page-channels/page-channel.service.js';
import { parseTargetUrl } from '../../http/target-url.js';
import { composeTestMessage } from '../page-channels/test-message.js';
import { Webhook } from './webhook.entity.js';
import type { CreateWebhookInput, UpdateWebhookInput } from './webhook.inputs.js';
import { createSecret, ensureKeyPair, loadWebhookTarget, webhookTargetColumn } from './webhook-target.js';

type WebhookSettings = Pick<Settings, 'allowPrivateTargets' | 'secretsKey'>;

const rules: { contact: FieldRule } = { contact: { normalize: parseEmailAddress, form: 'an e-mail address' } };

/** Each is sent every notice: more would slow down the others. */
const maxWebhooks = 100;

export function createWebhook(
  write: Writer,
  settings: WebhookSettings,
  pageId: string,
  input: CreateWebhookInput,
): Promise<{ id: number; secret: string }> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const url = parseTargetUrl(unit.validation, input.url, settings.allowPrivateTargets);
    const componentIds = await resolveComponents(unit, page.id, input);
    const contact = { contact: null };
    applyFields(contact, input, rules, unit.validation, true);
    unit.validation.throwIfInvalid();
    await refuseMany(unit, page.id);
    await ensureKeyPair(unit.em, settings, page.id);
    const [id] = await unit.reserveIds([Webhook]);
    const secret = createSecret();
    unit.create(Webhook, {
      id,
      page,
      format: input.format ?? 'standard',
      confirmedAt: unit.now,
      target: webhookTargetColumn.seal(settings, { id: id! }, { url: url!.href, secrets: [secret] }),
      choseComponents: componentIds !== null && componentIds.length > 0,
      ...contact,
    });
    await unit.save();
    await storeComponents(unit, id!, componentIds);
    return { id: id!, secret };
  });
}

export function updateWebhook(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | undefined,
  input: UpdateWebhookInput,
  settings: WebhookSettings,
): Promise<number> {
  return write.transaction(async unit => {
    const webhook = await unit.find<Webhook>(pageRecordPath(pageId, Webhook, id), versions);
    refuseSubscription(webhook);
    const url = input.url == null ? null : parseTargetUrl(unit.validation, input.url, settings.allowPrivateTargets);
    const componentIds = await resolveComponents(unit, pageId, input);
    applyFields(webhook, input, rules, unit.validation, false);
    unit.validation.throwIfInvalid();
    if (input.format != null) webhook.format = input.format;
    if (url) {
      const { secrets } = webhookTargetColumn.open(settings, webhook, webhook.target);
      webhook.target = webhookTargetColumn.seal(settings, webhook, { url: url.href, secrets });
      await liftSuspensionOfWebhook(unit.em, webhook.id);
    }
    if (componentIds) {
      if (String(componentIds) !== String(await listChosen(unit, webhook.id))) webhook.chosenAt = unit.now;
      webhook.choseComponents = componentIds.length > 0;
      unit.touch(webhook);
    }
    await unit.save();
    await storeComponents(unit, webhook.id, componentIds);
    return webhook.id;
  });
}

export function deleteWebhook(write: Writer, pageId: string, id: string, versions?: number[]): Promise<number> {
  return write.transaction(async unit => {
    const webhook = await unit.find<Webhook>(pageRecordPath(pageId, Webhook, id), versions);
    unit.em.remove(webhook);
    await unit.save();
    return Number(id);
  });
}

/** Replaces the secret. The earlier one signs for another day, so that the receiver can be changed meanwhile. */
export function rotateWebhookSecret(
  write: Writer,
  settings: WebhookSettings,
  pageId: string,
  id: string,
  versions?: number[],
): Promise<{ id: number; secret: string }> {
  return write.transaction(async unit => {
    const webhook = await unit.find<Webhook>(pageRecordPath(pageId, Webhook, id), versions);
    refuseSubscription(webhook);
    const { url, secrets } = webhookTargetColumn.open(settings, webhook, webhook.target);
    const secret = createSecret();
    webhook.target = webhookTargetColumn.seal(settings, webhook, { url, secrets: [secret, ...secrets.slice(0, 1)] });
    webhook.rotatedAt = unit.now;
    await unit.save();
    return { id: webhook.id, secret };
  });
}

/** Sends to a suspended webhook again, from the next publication on. */
export function resumeWebhook(write: Writer, pageId: string, id: string, versions?: number[]): Promise<number> {
  return write.transaction(async unit => {
    const webhook = await unit.find<Webhook>(pageRecordPath(pageId, Webhook, id), versions);
    if (!(await liftSuspensionOfWebhook(unit.em, webhook.id)))
      throw new Refusal('CONFLICT', 'This webhook is not suspended.');
    return webhook.id;
  });
}

/** Sends a test message and stores the outcome. No transaction is open while it waits for the receiver. */
export async function testWebhook(
  write: Writer,
  { send, settings }: { send: SendImmediately; settings: Settings },
  pageId: string,
  id: string,
): Promise<Outcome> {
  const message = await write.readOnly(async unit => {
    const webhook = await unit.find<Webhook>(pageRecordPath(pageId, Webhook, id));
    const page = await unit.find<Page>([[Page, pageId]]);
    const target = await loadWebhookTarget(queryInTransaction(unit.em), settings, webhook.id);
    return composeTestMessage(unit, settings, page, { address: channel.label, target });
  });
  const outcome = await send(channel.name, message);
  await write.transaction(async unit => {
    const webhook = await unit.find<Webhook>(pageRecordPath(pageId, Webhook, id));
    Object.assign(webhook, { testedAt: unit.now, testOutcome: outcome.kind, testResponse: outcome.response });
    await unit.save();
    if (outcome.kind === 'sent') await liftSuspensionOfWebhook(unit.em, webhook.id);
  });
  return outcome;
}

function refuseSubscription({ urlHash }: Webhook): void {
  if (urlHash !== null)
    throw new Refusal('CONFLICT', 'A visitor subscribed this webhook, and alone can change it. You can delete it.');
}

async function refuseMany({ em }: Unit, pageId: string): Promise<void> {
  const [row] = await query<{ count: number }>(
    em,
    'select count(*)::integer as count from webhook where page_id = $1 and url_hash is null',
    [pageId],
  );
  if (row!.count >= maxWebhooks) throw new Refusal('CONFLICT', `A page has at most ${maxWebhooks} webhooks.`);
}

/** Null if the input does not name any, and does not clear them. */
async function resolveComponents(
  unit: Unit,
  pageId: string,
  { componentIds }: UpdateWebhookInput,
): Promise<number[] | null> {
  if (componentIds === undefined) return null;
  const { components, problems: missing } = await findComponents(unit.em, pageId, componentIds ?? []);
  if (missing.length) unit.validation.addErrors({ componentIds: missing });
  return components.map(({ id }) => id);
}

async function listChosen({ em }: Unit, id: number): Promise<number[]> {
  const sql = 'select component_id as id from webhook_component where webhook_id = $1 order by 1';
  return (await query<{ id: number }>(em, sql, [id])).map(row => row.id);
}

async function storeComponents({ em }: Unit, id: number, componentIds: readonly number[] | null): Promise<void> {
  if (!componentIds) return;
  await query(em, 'delete from webhook_component where webhook_id = $1', [id]);
  await query(em, 'insert into webhook_component (webhook_id, component_id) select $1, unnest($2::integer[])', [
    id,
    componentIds,
  ]);
}

/** As many as a list of webhooks has. */
const maxUrls = 100;

/** The URLs of webhooks that owners created. That of a chat is a credential by itself, and is not returned. */
export const listWebhookUrls = (
  write: Writer,
  settings: WebhookSettings,
  pageId: string,
  ids: readonly string[],
): Promise<{ webhookId: number; url: string }[]> =>
  write.readOnly(async unit => {
    if (ids.length > maxUrls) throw invalid({ ids: [problems.tooMany(maxUrls)] });
    const { id: page } = await unit.find<Page>([[Page, pageId]]);
    const sql = `select id, target from webhook
      where page_id = $1 and id = any($2::integer[]) and url_hash is null and format in ('standard', 'statuspage')
      order by id`;
    const keys = ids.filter(isPossibleKey).map(Number);
    const rows = await query<{ id: number; target: object }>(unit.em, sql, [page, keys]);
    return rows.map(({ id, target }) => ({
      webhookId: id,
      url: webhookTargetColumn.open(settings, { id }, target).url,
    }));
  });
