import { analyticsIdForms, isAnalyticsId } from '../core/analytics-id.js';
import { applyFields, isBlank, Validation, type FieldRule } from '../core/validation.js';
import type { Unit } from '../records/unit.js';
import type { Writer } from '../records/writer.js';
import { type FieldProblems, type Problem, problems, validationMessages } from '../core/problems.js';
import { reminders } from './reminder.js';
import { createPageId } from '../core/ids.js';
import { parseEmailAddress } from '../core/address.js';
import { Brand } from './branding/brand.entity.js';
import { channelNames, channels, labelInSentence, switchName } from '../notifications/channels/registry.js';
import { locales } from '../i18n/locales.js';
import { Page } from './page.entity.js';
import type { CreatePageInput, PageSwitches, UpdatePageInput } from './page.inputs.js';
import { findConfiguredChannels } from '../notifications/channels/is-configured.js';
import { adviseTimeZone, findTimeZoneName } from './time-zone-names.js';
import { findLastMonth, findZone } from './time-zones.js';

export const parseWebAddress = (value: string): string | null =>
  /^https?:\/\/[^\s/]/i.test(value.trim()) && URL.canParse(value.trim()) ? value.trim() : null;

const secondsPerDay = 86_400;
const maxThreshold = 2 ** 31 - 1;

const unknownTimeZone = (advice: string): Problem => ({
  ...problems.notIncluded([]),
  messages: [validationMessages.notIncluded, advice],
  requirement: `must be one of the \`timezones\`, by its identifier or its name (${advice})`,
  allowed: undefined,
});

const wrongAnalyticsId: Problem = {
  ...problems.invalid(`must have the form ${analyticsIdForms}`),
  messages: [validationMessages.invalid, `must have the form ${analyticsIdForms}`],
};

const webAddress: FieldRule = {
  maxLength: 255,
  normalize: parseWebAddress,
  form: 'an address that begins with http:// or https://',
};

const rules: { [field in keyof Page]?: FieldRule } = {
  // It stands in subjects of mails and in headers.
  name: {
    required: true,
    maxLength: 255,
    normalize: name => (/[\r\n]/.test(name) ? null : name),
    form: 'one line',
  },
  supportEmail: { maxLength: 255, normalize: parseEmailAddress, form: 'an e-mail address' },
  supportTelephone: { maxLength: 255 },
  supportUrl: webAddress,
  websiteUrl: webAddress,
  privacyUrl: webAddress,
  termsUrl: webAddress,
  isVisibleToSearch: { fallback: true },
  metaTitle: { maxLength: 255 },
  metaDescription: { maxLength: 65_535 },
  googleAnalyticsId: {
    normalize: id => (isAnalyticsId(id.trim()) ? id.trim() : null),
    explain: () => wrongAnalyticsId,
  },
  timelineSortOrder: { oneOf: ['asc', 'desc'], fallback: 'asc' },
  locale: { oneOf: locales, fallback: 'en' },
  shouldShowUptime: { fallback: true },
  shouldShowResponseStatistics: { fallback: false },
  reminder: { oneOf: Object.keys(reminders), fallback: 'none' },
  holdSeconds: { between: [0, 60], fallback: 10 },
  staleAfterMinutes: { between: [0, 10_080], fallback: 120 },
  shouldSendMonthlyReport: { fallback: false },
};

/** Both APIs write pages by the same operation. */
interface Origin {
  isFromV1?: boolean;
}

/** What is wrong with fields of a page; the other fields can be written. */
export function checkPageFields(input: Partial<Page>): FieldProblems {
  const validation = new Validation();
  const page = {} as Page;
  applyFields(page, input, rules, validation, false);
  setTimezone(page, input, validation);
  return validation.errors();
}

export function createPage(write: Writer, input: CreatePageInput & Origin): Promise<string> {
  return write.transaction(async unit => {
    const page = unit.create(Page, { id: createPageId(), name: '' });
    await applyInput(unit, page, input, true);
    unit.create(Brand, { page });
    await unit.save();
    return page.id;
  });
}

export function updatePage(
  write: Writer,
  id: string,
  versions: number[] | null | undefined,
  input: UpdatePageInput & Origin,
): Promise<string> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, id]], versions);
    await applyInput(unit, page, input, false);
    await unit.save();
    return page.id;
  });
}

async function applyInput(unit: Unit, page: Page, input: UpdatePageInput & Origin, isNew: boolean): Promise<void> {
  const { validation } = unit;
  const wasReported = page.shouldSendMonthlyReport;
  applyFields(page, input, rules, validation, isNew);
  setTimezone(page, input, validation);
  // The first report is that of the present month.
  if (page.shouldSendMonthlyReport && !wasReported)
    page.reportedMonth = findLastMonth(findZone(page.timezoneName), unit.now);
  setThreshold(page, input, validation);
  await setSwitches(unit, page, input);
  validation.throwIfInvalid();
}

/** Several names share a time zone: the present name stays if it or its identifier is sent back. */
function setTimezone(page: Page, { timezone: given }: UpdatePageInput, validation: Validation): void {
  const present = page.timezoneName;
  if (given === undefined || (present && [present, findZone(present)].includes(given ?? ''))) return;
  const name = isBlank(given) ? 'UTC' : findTimeZoneName(given!.trim());
  if (name) page.timezoneName = name;
  else validation.addError('timezone', unknownTimeZone(adviseTimeZone(given!.trim())));
}

/**
 * Seconds and days set the same value. A value equal to the current one counts as absent,
 * since clients send whole records back. If both are new, the seconds take precedence.
 */
function setThreshold(
  page: Page,
  { timelineThresholdSeconds: seconds, timelineThresholdInDays: days }: UpdatePageInput,
  validation: Validation,
): void {
  const fallback = 259_200;
  const set = (field: 'timelineThresholdSeconds' | 'timelineThresholdInDays', given: number, threshold: number) => {
    if (given <= 0) validation.addError(field, problems.greaterThan(0));
    else if (threshold > maxThreshold)
      validation.addError(field, problems.outOfRange(`must be at most ${maxThreshold.toLocaleString('en')} seconds`));
    else page.timelineThresholdSeconds = threshold;
  };
  const shownDays = Math.floor(page.timelineThresholdSeconds / secondsPerDay);
  if (seconds !== undefined && seconds !== page.timelineThresholdSeconds)
    set('timelineThresholdSeconds', seconds ?? fallback, seconds ?? fallback);
  else if (days !== undefined && days !== shownDays)
    set('timelineThresholdInDays', days ?? fallback / secondsPerDay, days === null ? fallback : days * secondsPerDay);
}

/**
 * Reads return "switched on and configured", so that false is stored only for a channel that is configured. True for
 * another one is refused, since it would read as false; /v1 accepts it.
 */
async function setSwitches(
  { em, validation }: Unit,
  page: Page,
  input: UpdatePageInput & PageSwitches & Origin,
): Promise<void> {
  const switches = channels.flatMap(channel => {
    const value = input[switchName(channel)];
    return value === undefined ? [] : [{ channel, value }];
  });
  const names = switches.flatMap(({ channel, value }) => (value === null ? [] : [channel.name]));
  const configured = await findConfiguredChannels(em, page.id, names);
  const disabled = new Set(page.disabledChannels);
  for (const { channel, value } of switches) {
    if (value !== false) disabled.delete(channel.name);
    else if (configured.has(channel.name)) disabled.add(channel.name);
    if (value && !configured.has(channel.name) && !input.isFromV1)
      validation.addError(switchName(channel), notConfigured(channel));
  }
  page.disabledChannels = channelNames.filter(name => disabled.has(name));
}

const notConfigured = (channel: (typeof channels)[number]): Problem =>
  problems.notApplicable(`must be omitted or false until ${labelInSentence(channel)} is configured`);
