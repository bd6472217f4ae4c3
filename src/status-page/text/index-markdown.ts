import { type Texts, textsOf } from '../../i18n/translator.js';
import { absolute, noticeAddress } from '../view/urls.js';
import { bannerText } from '../view/banner-text.js';
import type { Face } from '../server/public-route.js';
import { standingsOf } from '../html/status-icons.js';
import { treeOrder } from '../view/tree-order.js';
import { inOrder, type NoticeView, type PageView } from '../view/view.js';
import { markdownText, quoted } from './markdown-text.js';

/** The page for who reads text: the same things in the same order. */
export const indexMarkdown: Face = {
  path: 'index.md',
  query: ['lang'],
  draw: view => {
    const texts = textsOf(view.locale);
    const { t } = texts;
    const { zone } = view.page;
    const blocks = [
      `# ${markdownText(view.page.name)}`,
      `**${markdownText(bannerText(view.banner, texts))}**`,
      view.staleSince
        ? t('footer.stale', { time: texts.dateTime(view.staleSince, zone) })
        : t('footer.updated', { time: texts.dateTime(view.readAt, zone) }),
      ...section(t('notice.present'), notices(view.present, view, texts)),
      ...section(t('components.title'), components(view, texts)),
      ...section(t('maintenance.title'), notices(view.future, view, texts)),
      ...section(t('general.title'), notices(view.general, view, texts)),
      `## ${t('past.title')}`,
      past(view, texts),
      `[${t('past.history')}](${absolute(view, 'history')})`,
      `[${t('footer.feeds')}](${absolute(view, 'feed.atom')}) · [${t('footer.calendar')}](${absolute(view, 'calendar.ics')})`,
    ];
    return { type: 'text/markdown; charset=utf-8', body: `${blocks.join('\n\n')}\n` };
  },
};

function section(title: string, blocks: string[]): string[] {
  return blocks.length ? [`## ${title}`, ...blocks] : [];
}

function notices(list: readonly NoticeView[], view: PageView, texts: Texts): string[] {
  return list.flatMap(notice => [
    `### [${markdownText(notice.subject)}](${noticeAddress(view, notice)})`,
    facts(notice, view, texts)
      .map(fact => `- ${fact}`)
      .join('\n'),
    ...inOrder(view, notice.updates).flatMap(({ content, createdAt }) => [
      `**${texts.dateTime(createdAt, view.page.zone)}**`,
      quoted(content),
    ]),
  ]);
}

function facts(
  { type, state, components: hit, beganAt, endedAt, beginsAt, endsAt }: NoticeView,
  { page: { zone } }: PageView,
  texts: Texts,
): string[] {
  const { t } = texts;
  const names = texts.list(hit.map(({ name }) => markdownText(name)));
  return [
    t(`state.${type}`),
    state ? t(`state.${state}`) : t('notice.inDevelopment'),
    hit.length && `${t('notice.affected')}: ${names}`,
    beginsAt && endsAt && `${t('maintenance.window')}: ${texts.window(beginsAt, endsAt, zone)}`,
    beganAt && t(type === 'general' ? 'notice.published' : 'notice.started', { time: texts.dateTime(beganAt, zone) }),
    endedAt && type !== 'general' && t('notice.ended', { time: texts.dateTime(endedAt, zone) }),
  ].filter(fact => typeof fact === 'string');
}

/** One list, its items by depth below each other. */
function components(view: PageView, { t }: Texts): string[] {
  const standings = standingsOf(view);
  const lines = treeOrder(view.components).map(({ id, name, description, depth }) => {
    const state = t(`state.${standings.get(id) ?? 'operational'}`);
    return `${'  '.repeat(depth)}- ${markdownText(name)}: ${state}${description ? ` – ${markdownText(description)}` : ''}`;
  });
  return lines.length ? [lines.join('\n')] : [];
}

function past(view: PageView, texts: Texts): string {
  if (!view.past.length) return texts.t('past.quietDay');
  return view.past
    .map(
      notice =>
        `- ${texts.day(notice.day)}: [${markdownText(notice.subject)}](${noticeAddress(view, notice)}) – ${texts.t(`state.${notice.state!}`)}`,
    )
    .join('\n');
}
