import { tokenOf } from '../../notices/notice.text.js';
import { type Texts, textsOf } from '../../i18n/translator.js';
import { absolute, askedComponent, concerns, noticeAddress, withQuery } from '../view/urls.js';
import type { Asked } from '../server/public-route.js';
import type { NoticeView, PageView } from '../view/view.js';
import { noticeHtml } from './notice-html.js';

/** What the three kinds of feeds say, each in its own form. */
export interface Feed {
  id: string;
  title: string;
  author: string;
  language: string;
  home: string;
  self: string;
  updated: Date;
  entries: Entry[];
}

export interface Entry {
  id: string;
  url: string;
  title: string;
  summary: string;
  html: string;
  published: Date;
  updated: Date;
  categories: Category[];
}

export interface Category {
  kind: 'type' | 'state' | 'component' | 'tag';
  term: string;
  label: string;
}

const entriesAtMost = 50;

/** Null when a component is asked for that is not there. */
export function feedOf(view: PageView, path: string, asked: Asked): Feed | null {
  const component = askedComponent(view, asked);
  if (component === null) return null;
  const texts = textsOf(view.locale);
  const notices = component ? view.notices.filter(notice => concerns(notice, component)) : view.notices;
  const entries = notices
    .map(notice => entryOf(notice, view, texts))
    .sort((one, other) => other.updated.getTime() - one.updated.getTime())
    .slice(0, entriesAtMost);
  return {
    id: tagUri(component ? `page/${view.page.id}/component/${component.id}` : `page/${view.page.id}`),
    title: texts.t('feed.title', { page: view.page.name }),
    author: view.page.name,
    language: texts.locale,
    home: absolute(view, ''),
    self: absolute(view, withQuery(path, asked, view)),
    updated: entries[0]?.updated ?? new Date(view.page.createdAt),
    entries,
  };
}

/** RFC 4151. It names no host: a page keeps its entries when it moves to a domain of its own, and a notice is told once by whatever feed it comes. */
export function tagUri(specific: string): string {
  return `tag:all-clear,2026:${specific}`;
}

function entryOf(notice: NoticeView, view: PageView, texts: Texts): Entry {
  const changes = [notice.updatedAt, ...notice.updates.map(({ updatedAt }) => updatedAt)].map(Number);
  return {
    // The random part of the address lives as long as the notice.
    id: tagUri(`notice/${tokenOf(notice.path)}`),
    url: noticeAddress(view, notice),
    title: notice.subject,
    summary: notice.synopsis.trim(),
    html: noticeHtml(notice, view, texts),
    published: notice.createdAt,
    updated: new Date(Math.max(...changes)),
    categories: [
      { kind: 'type', term: notice.type, label: texts.t(`state.${notice.type}`) },
      ...(notice.state
        ? [{ kind: 'state' as const, term: notice.state, label: texts.t(`state.${notice.state}`) }]
        : []),
      ...notice.components.map(({ id, name }) => ({ kind: 'component' as const, term: String(id), label: name })),
      ...notice.tags.map(tag => ({ kind: 'tag' as const, term: tag, label: tag })),
    ],
  };
}
