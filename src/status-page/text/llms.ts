import { textsOf } from '../../i18n/translator.js';
import { absolute } from '../view/urls.js';
import { bannerText } from '../view/banner-text.js';
import type { Face } from '../server/public-route.js';
import { markdownText } from './markdown-text.js';

/** By the proposal of llmstxt.org: a title, what it is in a line, and where to read on. */
export const llms: Face = {
  path: 'llms.txt',
  draw: view => {
    const texts = textsOf(view.locale);
    const { t } = texts;
    const page = markdownText(view.page.name);
    const links = [
      ['index.md', t('llms.markdown')],
      ['api/v2/summary.json', t('llms.json')],
      ['feed.atom', t('feed.title', { page })],
      ['calendar.ics', t('feed.calendarTitle', { page })],
      ['history', t('history.title')],
    ];
    const lines = [
      ...[
        `# ${page}`,
        '',
        `> ${markdownText(bannerText(view.banner, texts))}`,
        '',
        t('llms.about', { page }),
        '',
        `## ${t('footer.feeds')}`,
        '',
      ],
      ...links.map(([path, title]) => `- [${title}](${absolute(view, path!)})`),
    ];
    return { type: 'text/plain; charset=utf-8', body: `${lines.join('\n')}\n` };
  },
};
