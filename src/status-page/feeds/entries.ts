import { extractToken } from '../../notices/notice-text.rules.js';
import { renderMarkdown } from '../../markdown/render.js';
import { type Translator, getTranslator } from '../../i18n/translator.js';
import { byStart, getStart } from '../../notices/notice.order.js';
import {
  absoluteUrl,
  concerns,
  findOmittedLists,
  findRequestedComponent,
  findRequestedNotice,
  noticeUrl,
  withQuery,
} from '../view/urls.js';
import type { RouteParameters } from '../routing/public-route.js';
import type { ComponentView, NoticeView, PageView } from '../view/view.js';
import { renderNoticeHtml } from './notice-html.js';

export interface Feed {
  id: string;
  title: string;
  author: string;
  language: string;
  pageUrl: string;
  selfUrl: string;
  updated: Date;
  /** The latest start first. */
  entries: FeedEntry[];
  /** The lists with the notices that the page does not show. */
  omitted: { title: string; url: string }[];
}

export interface FeedEntry {
  id: string;
  url: string;
  title: string;
  summary: string;
  html: string;
  published: Date;
  updated: Date;
  categories: FeedCategory[];
}

export interface FeedCategory {
  kind: 'type' | 'state' | 'component' | 'tag';
  term: string;
  label: string;
}

const maxEntries = 50;

/** Null: the requested component or notice does not exist. */
export function buildFeed(view: PageView, path: string, parameters: RouteParameters): Feed | null {
  const component = findRequestedComponent(view, parameters);
  const notice = findRequestedNotice(view, parameters);
  if (component === null || notice === null) return null;
  const translator = getTranslator(view.locale);
  const pageTitle = translator.t('feed.title', { page: view.page.name });
  const entries = notice ? buildUpdateEntries(notice, view, translator) : buildEntries(view, component, translator);
  const updateTimes = entries.map(({ updated }) => updated.getTime());
  const omitted = notice ? [] : findOmittedLists(view);
  return {
    id: createTagUri(
      `page/${view.page.id}${component ? `/component/${component.id}` : ''}${notice ? `/${getNoticeId(notice)}` : ''}`,
    ),
    title: notice ? `${notice.subject} – ${view.page.name}` : pageTitle,
    author: view.page.name,
    language: translator.locale,
    pageUrl: notice ? noticeUrl(view, notice) : absoluteUrl(view, ''),
    selfUrl: absoluteUrl(view, withQuery(path, parameters, view)),
    updated: new Date(entries.length ? Math.max(...updateTimes) : view.page.createdAt),
    entries,
    omitted: omitted.map(({ count, url }) => ({ title: translator.t('list.more', { count }), url })),
  };
}

function buildEntries(view: PageView, component: ComponentView | undefined, translator: Translator): FeedEntry[] {
  const notices = component ? view.notices.filter(notice => concerns(notice, component)) : view.notices;
  return notices
    .toSorted(byStart)
    .slice(0, maxEntries)
    .map(notice => buildEntry(notice, view, translator));
}

/** An entry an update, the newest first, so that feed readers show each as new; without updates that of the notice. */
function buildUpdateEntries(notice: NoticeView, view: PageView, translator: Translator): FeedEntry[] {
  const { t, label } = translator;
  const whole = buildEntry(notice, view, translator);
  const entries = notice.updates.slice(-maxEntries).map(
    ({ id, content, state, postedAt, updatedAt }): FeedEntry => ({
      ...whole,
      id: `${whole.id}/update/${id}`,
      url: `${whole.url}#update-${id}`,
      title: state ? label(t(`state.${state}`), notice.subject) : notice.subject,
      summary: '',
      html: renderMarkdown(content, absoluteUrl(view, '')),
      published: postedAt,
      updated: updatedAt,
    }),
  );
  return entries.length ? entries.toReversed() : [whole];
}

/** The token of the path never changes; the slug follows the subject. */
const getNoticeId = ({ path }: NoticeView) => `notice/${extractToken(path)}`;

/**
 * A tag URI (RFC 4151). It contains no host, so that entries keep their ids when a page moves to a custom domain,
 * and feed readers recognise the same notice in several feeds.
 */
export function createTagUri(specific: string): string {
  return `tag:all-clear,2026:${specific}`;
}

function buildEntry(notice: NoticeView, view: PageView, translator: Translator): FeedEntry {
  const { t } = translator;
  const { updates, postmortem } = notice;
  const updateTimes = [notice, ...updates, ...(postmortem ? [postmortem] : [])].map(({ updatedAt }) =>
    Number(updatedAt),
  );
  return {
    id: createTagUri(getNoticeId(notice)),
    url: noticeUrl(view, notice),
    title: notice.subject,
    summary: notice.synopsis.trim(),
    html: renderNoticeHtml(notice, view, translator),
    // Feed readers sort by it, so a back-dated notice is as old as it says. Later it does not change.
    published: new Date(Math.min(notice.createdAt.getTime(), getStart(notice).getTime())),
    updated: new Date(Math.max(...updateTimes)),
    categories: [
      { kind: 'type', term: notice.type, label: t(`state.${notice.type}`) },
      ...(notice.state ? [{ kind: 'state' as const, term: notice.state, label: t(`state.${notice.state}`) }] : []),
      ...notice.components.map(({ id, name }) => ({ kind: 'component' as const, term: String(id), label: name })),
      ...notice.tags.map(tag => ({ kind: 'tag' as const, term: tag, label: tag })),
    ],
  };
}
