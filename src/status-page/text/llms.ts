import { getTranslator } from '../../i18n/translator.js';
import { absoluteUrl } from '../view/urls.js';
import { bannerText } from '../view/banner-text.js';
import type { PublicRoute } from '../routing/public-route.js';
import { renderText } from '../routing/responses.js';
import { escapeMarkdown } from './markdown-text.js';

/** A file for language models (llmstxt.org): title, summary, and links to machine-readable formats. */
export const llms: PublicRoute = {
  path: 'llms.txt',
  render: view => {
    const translator = getTranslator(view.locale);
    const { t } = translator;
    const page = escapeMarkdown(view.page.name);
    const links = [
      ['index.md', t('llms.markdown')],
      ['api/v2/summary.json', t('llms.json')],
      ['feed.atom', t('feed.title', { page })],
      ['calendar.ics', t('feed.calendarTitle', { page })],
      ['history', t('history.title')],
    ];
    const lines = [
      `# ${page}`,
      '',
      `> ${escapeMarkdown(bannerText(view.banner, translator))}`,
      '',
      t('llms.about', { page }),
      '',
      `## ${t('footer.feeds')}`,
      '',
      ...links.map(([path, title]) => `- [${title}](${absoluteUrl(view, path!)})`),
    ];
    return renderText(200, `${lines.join('\n')}\n`);
  },
};
