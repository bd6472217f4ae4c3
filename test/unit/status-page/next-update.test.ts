import { describe, expect, test } from '@jest/globals';
import { locales } from '../../../src/i18n/locales.js';
import { getTranslator } from '../../../src/i18n/translator.js';
import { calendar } from '../../../src/status-page/feeds/calendar.js';
import { frontPage } from '../../../src/status-page/html/front-page.js';
import { noticePage } from '../../../src/status-page/html/notice-page.js';
import { toAggregatorIncident } from '../../../src/status-page/aggregator-api/incidents.js';
import { toApiNotice } from '../../../src/status-page/page-api/records.js';
import { indexMarkdown } from '../../../src/status-page/text/index-markdown.js';
import { renderDocument, visibleText } from '../../support/rendered-page.js';
import { createView, minutesAgo, notice, renderBody } from '../../support/page-views.js';

const nextUpdateBy = minutesAgo(-30);
const notices = (promise: { nextUpdateBy?: string }) => [
  notice(1, 'unplanned', 'identified', promise),
  notice(2, 'unplanned', 'identified', promise),
  notice(3, 'unplanned', 'identified', promise),
  notice(4, 'planned', 'scheduled', promise),
];
const promised = createView({ notices: notices({ nextUpdateBy }) });
const silent = createView({ notices: notices({}) });
const shown = 'Next update by 20 Nov, 15:00 UTC';
const countOf = (text: string) => text.split(shown).length - 1;

describe('the time by which the next update is promised', () => {
  test('is on the front page and the page of the notice', () => {
    expect(countOf(visibleText(renderDocument(promised, frontPage)))).toBe(4);
    const page = (view: typeof promised) =>
      visibleText(renderDocument(view, noticePage, { path: { notice: view.notices[0]!.path } }));
    expect(countOf(page(promised))).toBe(1);
    expect(visibleText(renderDocument(silent, frontPage)) + page(silent)).not.toContain('Next update');
  });

  test.each(locales)('is on the page in %s', locale => {
    const { t } = getTranslator(locale);
    const text = visibleText(renderDocument({ ...promised, locale }, frontPage)).replaceAll('\u00a0', ' ');
    for (const part of t('notice.nextUpdate', { time: '|' }).replaceAll('\u00a0', ' ').split('|'))
      expect(text).toContain(part.trim());
  });

  test('is in the Markdown, the calendar and the JSON of the page, which do not name it where there is none', async () => {
    const forms = async (view: typeof promised) => [
      await renderBody(indexMarkdown, view),
      (await renderBody(calendar, view)).replaceAll('\r\n ', ''),
      JSON.stringify(toApiNotice(view.notices[0]!, view)),
      JSON.stringify(toAggregatorIncident(view.notices[0]!, view, () => ({}) as never)),
    ];
    const [markdown, events, json, aggregated] = await forms(promised);
    expect(markdown).toContain('- Next update by 20 November 2026, 15:00 UTC');
    expect(events).toContain('DESCRIPTION:Next update by 20 November 2026\\, 15:00 UTC');
    for (const text of [json, aggregated]) expect(text).toContain(`"next_update_by":"${nextUpdateBy}"`);
    expect((await forms(silent)).join()).not.toMatch(/next.update/i);
  });
});
