import { renderMarkdown } from '../../markdown/render.js';
import type { Texts } from '../../i18n/translator.js';
import type { NoticeView, PageView, UpdateView } from '../view/view.js';
import { escapeXml } from './xml.js';

/** A notice as a reader of feeds shows it: how it stands, whom it hits, when, and its updates, the newest first. */
export function noticeHtml(notice: NoticeView, { page: { zone } }: PageView, texts: Texts): string {
  const { t } = texts;
  const facts = [
    notice.state ? t(`state.${notice.state}`) : t('notice.inDevelopment'),
    notice.components.length ? `${t('notice.affected')}: ${texts.list(notice.components.map(({ name }) => name))}` : '',
    notice.beginsAt && notice.endsAt
      ? `${t('maintenance.window')}: ${texts.window(notice.beginsAt, notice.endsAt, zone)}`
      : '',
  ];
  const paragraphs = facts.filter(Boolean).map(fact => `<p>${escapeXml(fact)}</p>`);
  return [...paragraphs, ...notice.updates.toReversed().map(update => updateHtml(update, zone, texts))].join('\n');
}

function updateHtml({ content, createdAt, updatedAt }: UpdateView, zone: string, { t, dateTime }: Texts): string {
  const edited = updatedAt > createdAt ? ` (${escapeXml(t('notice.edited'))})` : '';
  const time = `<time datetime="${createdAt.toISOString()}">${escapeXml(dateTime(createdAt, zone))}</time>`;
  return `<p><strong>${time}</strong>${edited}</p>\n${renderMarkdown(content)}`;
}
