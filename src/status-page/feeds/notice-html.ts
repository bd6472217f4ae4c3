import { renderMarkdown } from '../../content/markdown/render.js';
import type { Translator } from '../../i18n/translator.js';
import { listNames, type NoticeView, type PageView, type UpdateView } from '../view/view.js';
import { absoluteUrl } from '../view/urls.js';
import { escapeXml } from './xml.js';

/** A notice as HTML for feed readers: its state or type, components and window, then its updates, newest first. */
export function renderNoticeHtml(notice: NoticeView, view: PageView, translator: Translator): string {
  const { zone } = view.page;
  const { t, formatDateTime, formatList, formatTimeRange, label } = translator;
  const facts = [
    t(`state.${notice.state ?? notice.type}`),
    notice.components.length ? label(t('notice.affected'), formatList(listNames(notice))) : '',
    notice.beginsAt && notice.endsAt
      ? label(t('maintenance.window'), formatTimeRange(notice.beginsAt, notice.endsAt, zone))
      : '',
    // It may have begun long before it was published.
    notice.type === 'unplanned' && notice.beganAt
      ? t('notice.started', { time: formatDateTime(notice.beganAt, zone) })
      : '',
  ];
  const paragraphs = facts.filter(Boolean).map(fact => `<p>${escapeXml(fact)}</p>`);
  const updates = notice.updates.toReversed().map(update => renderUpdate(update, view, translator));
  const postmortem = notice.postmortem
    ? [`<h3>${escapeXml(t('notice.postmortem'))}</h3>`, renderUpdate(notice.postmortem, view, translator)]
    : [];
  return [...paragraphs, ...postmortem, ...updates].join('\n');
}

function renderUpdate(
  { content, postedAt, editedAt }: UpdateView,
  view: PageView,
  { t, formatDateTime }: Translator,
): string {
  const { zone } = view.page;
  const edited =
    editedAt === null ? '' : ` (${escapeXml(t('notice.edited', { time: formatDateTime(editedAt, zone) }))})`;
  const shownTime = escapeXml(formatDateTime(postedAt, zone));
  const time = `<time datetime="${postedAt.toISOString()}">${shownTime}</time>`;
  return `<p><strong>${time}</strong>${edited}</p>\n${renderMarkdown(content, absoluteUrl(view, ''))}`;
}
