import { isActiveSql } from './sign-up.service.js';
import { applyFields, type FieldRule, isBlank, normalizeTags } from '../core/validation.js';
import { findComponents } from '../components/find-components.js';
import { query } from '../db/prepared-statements.js';
import { liftSuspensionOf } from '../notifications/delivery/suspension.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { type Problem, problems } from '../core/problems.js';
import { noticeTypes } from '../notices/notice.states.js';
import { Page } from '../pages/page.entity.js';
import { pageRecordPath } from '../pages/page-record-path.js';
import { parseEmailAddress, parsePhoneNumber } from '../core/address.js';
import { Subscriber } from './subscriber.entity.js';
import type { CreateSubscriberInput, UpdateSubscriberInput } from './subscriber.inputs.js';

export const subscriberRules: { [field in keyof Subscriber]?: FieldRule } = {
  email: { normalize: parseEmailAddress, form: 'an e-mail address' },
  phoneNumber: { normalize: parsePhoneNumber, form: 'a phone number with its country code, such as +14155550100' },
  firstName: { maxLength: 255 },
  lastName: { maxLength: 255 },
  nickname: { maxLength: 255 },
  company: { maxLength: 255 },
};

const neitherAddress: Problem = {
  ...problems.blank,
  requirement: 'must not be blank, unless the other address is given',
};

/** An unconfirmed or unsubscribed record is hidden: creating the same address is a new consent, and replaces it. */
export function createSubscriber(write: Writer, pageId: string, input: CreateSubscriberInput): Promise<number> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const values = new Subscriber();
    applyFields(values, input, subscriberRules, unit.validation, true);
    const [hidden] = await reserveAddresses(unit, page.id, values, 0);
    if (hidden) await liftSuspensionOf(unit.em, [hidden.id]);
    await hidden?.components.init();
    const subscriber = hidden ?? unit.create(Subscriber, { page, consentSource: 'interface' });
    const { email, phoneNumber, firstName, lastName, nickname, company } = values;
    Object.assign(subscriber, {
      email,
      phoneNumber,
      firstName,
      lastName,
      nickname,
      company,
      confirmedAt: unit.now,
      unsubscribedAt: null,
      chosenAt: unit.now,
      consentSource: 'interface',
    });
    await applyInput(unit, subscriber, {
      ...input,
      tagList: input.tagList ?? null,
      componentIds: input.componentIds ?? null,
      kinds: input.kinds ?? null,
    });
    await unit.save();
    return subscriber.id;
  });
}

export function updateSubscriber(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  input: UpdateSubscriberInput,
): Promise<number> {
  return write.transaction(async unit => {
    const subscriber = await unit.find<Subscriber>(pageRecordPath(pageId, Subscriber, id), versions);
    await subscriber.components.init();
    applyFields(subscriber, input, subscriberRules, unit.validation, false);
    await reserveAddresses(unit, pageId, subscriber, subscriber.id);
    await applyInput(unit, subscriber, input);
    await unit.save();
    return subscriber.id;
  });
}

export function deleteSubscriber(
  write: Writer,
  pageId: string,
  id: string,
  versions?: number[] | null,
): Promise<number> {
  return write.transaction(async unit => {
    const subscriber = await unit.find<Subscriber>(pageRecordPath(pageId, Subscriber, id), versions);
    const { id: own } = subscriber;
    unit.describeDeletion(subscriber);
    await query(unit.em, 'delete from subscriber where id = $1', [own]);
    return own;
  });
}

async function applyInput(unit: Unit, subscriber: Subscriber, input: UpdateSubscriberInput): Promise<void> {
  // An invalid value is reported as invalid, not as blank too.
  const isGiven = (field: 'email' | 'phoneNumber') =>
    subscriber[field] || !isBlank(input[field]) || unit.validation.isUnreadable(field);
  if (!isGiven('email') && !isGiven('phoneNumber'))
    for (const field of ['email', 'phoneNumber']) unit.validation.addError(field, neitherAddress);
  if (input.tagList !== undefined) {
    const list = normalizeTags(unit.validation, 'tagList', input.tagList ?? [], subscriber.tagList);
    if (list.join() !== subscriber.tagList.join()) subscriber.tagList = list;
  }
  if (input.kinds !== undefined) {
    const kinds = noticeTypes.filter(type => !input.kinds?.length || input.kinds.includes(type));
    if (kinds.join() !== subscriber.kinds.join()) Object.assign(subscriber, { kinds, chosenAt: unit.now });
  }
  if (input.componentIds !== undefined) await setComponents(unit, subscriber, input.componentIds ?? []);
  unit.validation.throwIfInvalid();
}

async function setComponents(unit: Unit, subscriber: Subscriber, ids: readonly string[]): Promise<void> {
  const { components, problems: missing } = await findComponents(unit.em, subscriber.page.id, ids);
  if (missing.length) return unit.validation.addErrors({ componentIds: missing });
  const before = subscriber.components.getIdentifiers<number>();
  const same = components.length === before.length && components.every(({ id }) => before.includes(id));
  if (same && (components.length > 0 || !subscriber.choseComponents)) return;
  subscriber.choseComponents = components.length > 0;
  subscriber.chosenAt = unit.now;
  subscriber.components.set(components);
}

/**
 * Refuses an address that another active subscriber has. Hidden records with an address give way: on create the first
 * is returned for reuse, and the others are deleted. The one with the e-mail address comes first, so that links in old
 * e-mails keep working. The page is locked, so that no address is taken meanwhile.
 */
async function reserveAddresses(
  unit: Unit,
  pageId: string,
  { email, phoneNumber }: Pick<Subscriber, 'email' | 'phoneNumber'>,
  except: number,
): Promise<Subscriber[]> {
  const holders = await query<{ id: number; sameEmail: boolean | null; samePhone: boolean | null; shown: boolean }>(
    unit.em,
    `select id, lower(email) = lower($2::text) as "sameEmail", phone_number = $3::text as "samePhone",
       ${isActiveSql} as shown
     from subscriber where page_id = $1 and id <> $4 and (lower(email) = lower($2::text) or phone_number = $3::text)
     order by "sameEmail" desc nulls last, id`,
    [pageId, email, phoneNumber, except],
  );
  for (const { shown, sameEmail, samePhone } of holders) {
    if (shown && sameEmail) unit.validation.addError('email', problems.taken('another subscriber of the page'));
    if (shown && samePhone) unit.validation.addError('phoneNumber', problems.taken('another subscriber of the page'));
  }
  const hidden = holders.filter(({ shown }) => !shown).map(({ id }) => id);
  const reused = except ? undefined : hidden[0];
  const superfluous = hidden.filter(id => id !== reused);
  if (superfluous.length) await query(unit.em, 'delete from subscriber where id = any($1)', [superfluous]);
  return reused ? [await unit.em.findOneOrFail(Subscriber, { id: reused })] : [];
}
