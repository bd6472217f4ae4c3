import { applyFields, Checks, type FieldRule } from '../core/validation.js';
import type { EntityManager } from '../db/connection.js';
import { query } from '../db/prepared-statements.js';
import type { Unit, Writer } from '../records/writer.js';
import { text } from '../core/errors.js';
import { reminders } from '../notices/reminder.js';
import { pageId } from '../core/ids.js';
import { emailAddress } from '../subscribers/address.js';
import { Brand } from '../branding/brand.entity.js';
import { type Channel, channels } from '../notifications/page-channels/channel-names.js';
import { locales } from '../i18n/locales.js';
import { Page, sortOrders } from './page.entity.js';
import type { CreatePage, UpdatePage } from './page.inputs.js';
import { configuredChannels } from '../notifications/page-channels/page-channel.service.js';
import { timeZones } from './time-zones.js';

const webAddress = (value: string): string | null =>
  /^https?:\/\/[^\s/]/i.test(value.trim()) && URL.canParse(value.trim()) ? value.trim() : null;

const day = 86_400;
const longestThreshold = 2 ** 31 - 1;

const rules: { [field in keyof Page]?: FieldRule } = {
  name: { required: true, longest: 255 },
  timezone: { oneOf: timeZones.map(({ name }) => name), fallback: 'UTC' },
  supportEmail: { longest: 255, form: emailAddress },
  supportTelephone: { longest: 255 },
  supportUrl: { longest: 255, form: webAddress },
  visibleToSearch: { fallback: true },
  metaTitle: { longest: 255 },
  metaDescription: { longest: 65_535 },
  vendorAnalyticsId: { longest: 255 },
  timelineSortOrder: { oneOf: sortOrders, fallback: 'asc' },
  locale: { oneOf: locales, fallback: 'en' },
  reminder: { oneOf: Object.keys(reminders), fallback: 'none' },
};

export function createPage(write: Writer, input: CreatePage): Promise<string> {
  return write.transaction(async unit => {
    const page = unit.create(Page, { id: pageId(), name: '' });
    await apply(unit, page, input, true);
    unit.create(Brand, { page });
    await unit.save();
    return page.id;
  });
}

export function updatePage(
  write: Writer,
  id: string,
  versions: number[] | null | undefined,
  input: UpdatePage,
): Promise<string> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, id]], versions);
    await apply(unit, page, input, false);
    await unit.save();
    return page.id;
  });
}

/** All that is on the page goes with it, and of what was told there may be millions of rows: it takes the time that it takes. */
export function deletePage(write: Writer, id: string, versions?: number[] | null): Promise<string> {
  return write.transaction(async unit => {
    await unit.find([[Page, id]], versions);
    await query(unit.em, 'set local statement_timeout = 0');
    await unit.em.nativeDelete(Page, { id });
    return id;
  });
}

async function apply({ em, checks }: Unit, page: Page, input: UpdatePage, creating: boolean): Promise<void> {
  applyFields(page, input, rules, checks, creating);
  setThreshold(page, input, checks);
  await setSwitches(em, page, input);
  checks.pass();
}

/** Seconds and days are two writings of one thing: a value that a read shows is none, and where both are new the seconds win. */
function setThreshold(
  page: Page,
  { timelineThreshold: seconds, timelineThresholdInDays: days }: UpdatePage,
  checks: Checks,
): void {
  const fallback = 259_200;
  const set = (field: 'timelineThreshold' | 'timelineThresholdInDays', given: number, threshold: number) => {
    if (given <= 0) checks.refuse(field, text.greaterThan(0));
    else if (threshold > longestThreshold) checks.refuse(field, text.invalid);
    else page.timelineThreshold = threshold;
  };
  const shownDays = Math.floor(page.timelineThreshold / day);
  if (seconds !== undefined && seconds !== page.timelineThreshold)
    set('timelineThreshold', seconds ?? fallback, seconds ?? fallback);
  else if (days !== undefined && days !== shownDays)
    set('timelineThresholdInDays', days ?? fallback / day, days === null ? fallback : days * day);
}

/** A read shows "switched on and configured"; off is kept only while there is something to switch off. */
async function setSwitches(em: EntityManager, page: Page, input: UpdatePage): Promise<void> {
  const wanted = new Map(channels.map(channel => [channel, input[`sendNotificationsBy${capital(channel)}`]]));
  const off = channels.filter(channel => wanted.get(channel) === false);
  const configured = await configuredChannels(em, page.id, off);
  for (const channel of channels) {
    const value = wanted.get(channel);
    if (value === undefined) continue;
    if (value !== false) page[`${channel}Switch`] = true;
    else if (configured.has(channel)) page[`${channel}Switch`] = false;
  }
}

const capital = <Name extends Channel>(name: Name) => `${name[0]!.toUpperCase()}${name.slice(1)}` as Capitalize<Name>;
