import { randomUUID } from 'node:crypto';
import { Brand, colourNames } from '../../pages/branding/brand.entity.js';
import { parseMailDomain, type Settings } from '../../core/config.js';
import { query } from '../../db/prepared-statements.js';
import type { Locale } from '../../i18n/locales.js';
import type { Page } from '../../pages/page.entity.js';
import { publicUrlSql } from '../../pages/public-url.js';
import { findZone } from '../../pages/time-zones.js';
import type { Unit } from '../../records/unit.js';
import type { OutgoingMessage, Target } from '../channels/channel.js';
import { createTestSnapshot } from '../messages/test-message.js';

/** The message that tests a channel or a webhook of a page. */
export async function composeTestMessage(
  unit: Unit,
  settings: Settings,
  page: Page,
  { address, target }: { address: string; target: Target | null },
): Promise<OutgoingMessage> {
  const brand = await unit.em.findOneOrFail(Brand, { page: page.id });
  const [row] = await query<{ address: string }>(unit.em, `select ${publicUrlSql('$1::text')} as address`, [page.id]);
  const { id, name, timezoneName, supportEmail } = page;
  const colours = Object.fromEntries(
    colourNames.map(colour => [colour, brand[colour]]),
  ) as OutgoingMessage['snapshot']['page']['brand'];
  const pageSnapshot = {
    id,
    name,
    locale: page.locale as Locale,
    timezone: timezoneName,
    zone: findZone(timezoneName),
    address: row!.address,
    supportEmail,
    brand: colours,
  };
  return {
    deliveryId: 'test',
    messageId: `<${randomUUID()}@${parseMailDomain(settings)}>`,
    snapshot: createTestSnapshot(pageSnapshot, unit.now.toISOString()),
    recipient: { address, subscriberId: null, unsubscribe: null, preferences: null, thread: null, target },
  };
}
