import { describeUpstream } from '../view/upstream-text.js';
import { type Translator, getTranslator } from '../../i18n/translator.js';
import { absoluteUrl, noticeUrl } from '../view/urls.js';
import { bannerText } from '../view/banner-text.js';
import { findLatestChange } from '../view/latest-change.js';
import type { PublicRoute } from '../routing/public-route.js';
import { computeDisplayedStates } from '../html/status-icons.js';
import { flattenTree } from '../../components/component-tree.js';
import { listNames, sortUpdates, type NoticeView, type PageView } from '../view/view.js';
import { escapeMarkdown, quoteMarkdown } from './markdown-text.js';

/** The front page as Markdown, for clients that read text: the same content in the same order. */
export const indexMarkdown: PublicRoute = {
  path: 'index.md',
  query: ['lang'],
  render: view => {
    const translator = getTranslator(view.locale);
    const { t, formatDateTime } = translator;
    const { zone } = view.page;
    const feedLink = `[${t('footer.feeds')}](${absoluteUrl(view, 'feed.atom')})`;
    const calendarLink = `[${t('footer.calendar')}](${absoluteUrl(view, 'calendar.ics')})`;
    const blocks = [
      `# ${escapeMarkdown(view.page.name)}`,
      `**${escapeMarkdown(bannerText(view.banner, translator))}**`,
      view.staleSince
        ? t('footer.stale', { time: formatDateTime(view.staleSince, zone) })
        : t('footer.updated', { time: formatDateTime(findLatestChange(view), zone) }),
      ...renderSection(t('notice.present'), [
        ...renderNotices(view.present, view, translator),
        ...renderMore(view.omitted.present, 'notices', view, translator),
      ]),
      ...renderSection(t('components.title'), renderComponents(view, translator)),
      ...renderSection(t('maintenance.title'), [
        ...renderNotices(view.future, view, translator),
        ...renderMore(view.omitted.future, 'notices', view, translator),
      ]),
      ...renderSection(t('general.title'), [
        ...renderNotices(view.general, view, translator),
        ...renderMore(view.omitted.general, 'history', view, translator),
      ]),
      ...renderSection(t('past.title'), [
        ...renderPast(view, translator),
        ...renderMore(view.omitted.past, 'history', view, translator),
      ]),
      `[${t('past.history')}](${absoluteUrl(view, 'history')})`,
      `${feedLink} · ${calendarLink}`,
    ];
    return { type: 'text/markdown; charset=utf-8', body: `${blocks.join('\n\n')}\n` };
  },
};

function renderSection(title: string, blocks: string[]): string[] {
  return blocks.length ? [`## ${title}`, ...blocks] : [];
}

function renderNotices(notices: readonly NoticeView[], view: PageView, translator: Translator): string[] {
  return notices.flatMap(notice => [
    `### [${escapeMarkdown(notice.subject)}](${noticeUrl(view, notice)})`,
    listFacts(notice, view, translator)
      .map(fact => `- ${fact}`)
      .join('\n'),
    ...sortUpdates(view, notice.updates).flatMap(({ content, postedAt }) => [
      `**${translator.formatDateTime(postedAt, view.page.zone)}**`,
      quoteMarkdown(content),
    ]),
  ]);
}

function listFacts(
  notice: NoticeView,
  { page: { zone }, now }: PageView,
  { t, formatDateTime, formatDuration, formatList, formatTimeRange, label }: Translator,
): string[] {
  const { type, state, components, beganAt, endedAt, beginsAt, endsAt, nextUpdateBy, silentSince } = notice;
  const names = formatList(listNames(notice).map(escapeMarkdown));
  return [
    t(`state.${type}`),
    state && t(`state.${state}`),
    components.length && label(t('notice.affected'), names),
    beginsAt && endsAt && label(t('maintenance.window'), formatTimeRange(beginsAt, endsAt, zone)),
    beganAt && t(type === 'general' ? 'notice.published' : 'notice.started', { time: formatDateTime(beganAt, zone) }),
    endedAt && type !== 'general' && t('notice.ended', { time: formatDateTime(endedAt, zone) }),
    silentSince && t('notice.noUpdateFor', { duration: formatDuration(now.getTime() - silentSince.getTime()) }),
    nextUpdateBy && t('notice.nextUpdate', { time: formatDateTime(nextUpdateBy, zone) }),
  ].filter(fact => typeof fact === 'string');
}

/** "12 more notices", a link to the list that has them. */
function renderMore(count: number, path: string, view: PageView, { t }: Translator): string[] {
  return count ? [`[${t('list.more', { count })}](${absoluteUrl(view, path)})`] : [];
}

/** A nested list of the whole tree, as one block. */
function renderComponents(view: PageView, translator: Translator): string[] {
  const { t } = translator;
  const displayedStates = computeDisplayedStates(view);
  const lines = flattenTree(view.components).map(({ id, name, description, manual, upstream, depth }) => {
    const state = t(`state.${displayedStates.get(id) ?? 'operational'}`);
    const source = upstream?.isShown ? describeUpstream(upstream, translator) : null;
    const texts = [manual?.note, source, description].flatMap(text => (text ? ` – ${escapeMarkdown(text)}` : []));
    return `${'  '.repeat(depth)}- ${escapeMarkdown(name)}: ${state}${texts.join('')}`;
  });
  return lines.length ? [lines.join('\n')] : [];
}

/** Nothing while a notice is open and none has ended: "no incidents" would contradict the notice. */
function renderPast(view: PageView, { t, formatDay }: Translator): string[] {
  if (!view.past.length) return view.present.length ? [] : [t('past.quietDay')];
  const lines = view.past.map(notice => {
    const link = `[${escapeMarkdown(notice.subject)}](${noticeUrl(view, notice)})`;
    return `- ${formatDay(notice.day)}: ${link} – ${t(`state.${notice.state!}`)}`;
  });
  return [lines.join('\n')];
}
