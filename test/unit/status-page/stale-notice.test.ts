import { describe, expect, test } from '@jest/globals';
import { locales } from '../../../src/i18n/locales.js';
import { getTranslator } from '../../../src/i18n/translator.js';
import { frontPage } from '../../../src/status-page/html/front-page.js';
import { noticePage } from '../../../src/status-page/html/notice-page.js';
import { indexMarkdown } from '../../../src/status-page/text/index-markdown.js';
import { nextChange } from '../../../src/status-page/view/next-change.js';
import { createSnapshot, createView, minutesAgo, notice, renderBody } from '../../support/page-views.js';
import { renderDocument, visibleText } from '../../support/rendered-page.js';

const page = { staleAfterMinutes: 120 };
const createPage = (minutes: number, more: object = {}) =>
  createView({
    page,
    notices: [notice(1, 'unplanned', 'identified', { lastUpdateAt: minutesAgo(minutes), ...more })],
  });
const stale = createPage(180);
const fresh = createPage(119);
const text = (view: typeof stale) => visibleText(renderDocument(view, frontPage)).replaceAll('\u00a0', ' ');

describe('A page whose open notice nobody has updated', () => {
  test('says so after the time of the page, and not before', async () => {
    expect(text(stale)).toContain('No update for 3 hours');
    expect(visibleText(renderDocument(stale, noticePage, { path: { notice: stale.notices[0]!.path } }))).toContain(
      'No update for 3 hours',
    );
    expect(await renderBody(indexMarkdown, stale)).toContain('- No update for 3 hours');
    for (const view of [fresh, createPage(180, { nextUpdateBy: minutesAgo(-30) }), createView()])
      expect(text(view)).not.toContain('No update');
  });

  test.each(locales)('says so in %s', locale => {
    const { t, formatDuration } = getTranslator(locale);
    const shown = text({ ...stale, locale });
    for (const part of [formatDuration(180 * 60_000), ...t('notice.noUpdateFor', { duration: '|' }).split('|')])
      expect(shown).toContain(part.replaceAll('\u00a0', ' ').trim());
  });

  test('is rendered again when it begins to say so', () => {
    const notices = [notice(1, 'planned', 'scheduled', { endsAt: minutesAgo(25), lastUpdateAt: minutesAgo(600) })];
    const snapshot = createSnapshot({ page, notices });
    const now = new Date(minutesAgo(0));
    expect(nextChange(snapshot, now).toISOString()).toBe(minutesAgo(-5));
  });
});
