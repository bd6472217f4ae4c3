import { z } from 'zod';
import { BrandImage } from '../../pages/branding/brand-image.entity.js';
import { brandImageRoles } from '../../pages/branding/brand-image.js';
import { Brand } from '../../pages/branding/brand.entity.js';
import { defaultColours, isColour } from '../../pages/branding/colour.js';
import { sanitizeSvg } from '../../pages/branding/svg.js';
import { Theme } from '../../pages/branding/theme.entity.js';
import { CustomDomain } from '../../pages/custom-domain/custom-domain.entity.js';
import { Page } from '../../pages/page.entity.js';
import { parseEmailAddress } from '../../core/address.js';
import { isAnalyticsId } from '../../core/analytics-id.js';
import { toDnsName } from '../../core/dns-name.js';
import { snakeCase } from '../../core/snake-case.js';
import { locales } from '../../i18n/locales.js';
import { hashImage, imageTypes, measureImage } from '../../pages/images/measure.js';
import { channelNames } from '../../notifications/channels/registry.js';
import { parseWebAddress } from '../../pages/page.service.js';
import { maxDomains } from '../../pages/page-visibility.service.js';
import { reminders } from '../../pages/reminder.js';
import { findTimeZoneName } from '../../pages/time-zone-names.js';
import { describeEntity } from './entity-kind.js';
import { bytes, counter, flag, integer, type Kind, pageId, parsed, text, time } from './kind.js';

const webAddress = parsed(parseWebAddress).nullable();
const domain = parsed(toDnsName);
const colour = text.refine(isColour, 'is not a colour');
const imageFormats = Object.keys(imageTypes) as (keyof typeof imageTypes)[];
const imageHash = z.string().regex(/^[0-9a-f]{16}$/);
const reminderNames = Object.keys(reminders) as (keyof typeof reminders)[];

export const reminder = z.enum(reminderNames);
/** Whether the bytes are an image of the format, with this hash; an SVG is as sanitized as an upload. */
function isImage({ content, format, hash }: Record<string, unknown>): boolean {
  const image = Buffer.from(String(content), 'base64');
  const isSafe = format !== 'svg' || isSanitized(image.toString());
  return isSafe && hashImage(image) === hash && measureImage(image, imageFormats)?.format === format;
}

function isSanitized(svg: string): boolean {
  try {
    return sanitizeSvg(svg) === svg;
  } catch {
    return false;
  }
}

const foundByChecks = [
  'claimed_at',
  'verified_at',
  'missing_since',
  'next_check_at',
  'checked_at',
  'finding',
  'finding_text',
  'cnames_found',
  'texts_found',
];

const ofPage = { page_id: 'pages' } as const satisfies Kind['references'];

export const pageKinds: Record<string, Kind> = {
  pages: describeEntity(Page, {
    description: 'Pages and their settings. `link_key` signs the links of subscribers.',
    fields: {
      id: pageId,
      timezone: parsed(findTimeZoneName),
      support_email: parsed(parseEmailAddress).nullable(),
      support_url: webAddress,
      website_url: webAddress,
      privacy_url: webAddress,
      terms_url: webAddress,
      vendor_analytics_id: text.refine(isAnalyticsId, 'is not an id of web analytics').nullable(),
      locale: z.enum(locales),
      disabled_channels: z.array(z.enum(channelNames)),
      reminder,
      // The import is a change, too: it counts up to the same number, with which browsers have what they cached.
      change_count: { schema: counter, read: 'k.change_count', write: `(r.record ->> 'change_count')::integer - 1` },
      show_response_statistics: flag.default(false),
      hold_seconds: z.int().min(0).max(60),
      stale_after_minutes: z.int().min(0).max(10_080),
      send_monthly_report: flag.default(false),
      email_domains: z.array(domain).max(maxDomains),
      email_domain_versions: z.array(counter).max(maxDomains),
      link_key: z.string().regex(/^[0-9a-f]{64}$/),
    },
    omitted: ['reported_month'],
    required: ['visibility', 'access_version', 'visible_to_search'],
    runs: [
      ['locale', 'disabled_channels', 'reminder', 'change_count'],
      ['show_response_statistics', 'hold_seconds', 'stale_after_minutes', 'send_monthly_report'],
    ],
    where: () => 'k.id = any($1)',
  }),
  brands: describeEntity(Brand, {
    description: 'The colours of pages.',
    fields: Object.fromEntries(Object.keys(defaultColours).map(name => [snakeCase(name), colour])),
    order: 'k.page_id',
  }),
  'brand-images': describeEntity(BrandImage, {
    description: 'Logos and favicons. `png` is an SVG as PNG, for mail.',
    fields: { role: z.enum(brandImageRoles), format: z.enum(imageFormats), hash: imageHash },
    order: 'k.page_id, k.role collate "C"',
    check: isImage,
  }),
  images: {
    table: 'page_image',
    description: 'Images in texts.',
    fields: {
      page_id: pageId,
      hash: imageHash,
      format: z.enum(imageFormats),
      width: integer,
      height: integer,
      bytes: integer,
      content: bytes('content'),
    },
    order: 'k.page_id, k.hash collate "C"',
    references: ofPage,
    check: isImage,
  },
  themes: describeEntity(Theme, {
    description: 'Uploaded themes: `archive` is the ZIP file.',
    order: 'k.page_id',
  }),
  'custom-domains': describeEntity(CustomDomain, {
    description: 'Custom domains with the token of the proof of each, which the installation that imports them checks.',
    fields: { domain },
    // The installation looks for the proof itself, at once.
    defaults: { claimed_at: 'clock_timestamp()', next_check_at: 'clock_timestamp()' },
    omitted: foundByChecks,
    ignored: foundByChecks,
    order: 'k.page_id',
    unique: { field: 'domain', where: 'k.verified_at is not null' },
  }),
  channels: {
    table: 'channel_target',
    description: 'Channels of pages with the result of the last test of each, without what gives access to them.',
    fields: {
      page_id: pageId,
      channel: z.enum(channelNames),
      tested_at: time.nullable(),
      test_outcome: z.enum(['sent', 'failed', 'refused']).nullable(),
      test_response: text.nullable(),
    },
    order: 'k.page_id, k.channel collate "C"',
    references: ofPage,
  },
};
