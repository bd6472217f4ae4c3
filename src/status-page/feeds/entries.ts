import { readFlag } from '../../core/read-flag.js';
import { extractToken } from '../../notices/notice-text.rules.js';
import { renderMarkdown } from '../../content/markdown/render.js';
import { type Translator, getTranslator } from '../../i18n/translator.js';
import { isOpen, type NoticeState } from '../../notices/notice.states.js';
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
import { listUpdates, type NoticeView, type PageView, type UpdateView } from '../view/view.js';
import { renderNoticeHtml } from './notice-html.js';

export interface Feed {
  id: string;
  title: string;
  author: string;
  language: string;
  pageUrl: string;
  selfUrl: string;
  updated: Date;
  /** The latest `published` first. */
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
  /** When it was published here, which never changes: feed readers skip what is older than what they have. */
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
/** Of operators. As HTML in XML a character can take nine bytes, and each language has a feed of its own. */
const maxCharacters = 500_000;

/** Null: the requested component or notice does not exist, or `updates` is neither true nor false. */
export function buildFeed(view: PageView, path: string, parameters: RouteParameters): Feed | null {
  const component = findRequestedComponent(view, parameters);
  const notice = findRequestedNotice(view, parameters);
  const hasUpdates = readFlag(parameters.query.updates);
  if (component === null || notice === null || hasUpdates === undefined) return null;
  const translator = getTranslator(view.locale);
  const pageTitle = translator.t('feed.title', { page: view.page.name });
  const notices = notice ? [notice] : view.notices.filter(one => !component || concerns(one, component));
  const build = notice || hasUpdates ? buildUpdateEntries : buildEntries;
  const built = takeRecent(notices).flatMap(one => build(one, view, translator));
  const entries = limitCategories(built.toSorted(byPublication).slice(0, maxEntries));
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

/** The notices that changed last: no more than entries, and as long as their texts are not too long together. */
function takeRecent(notices: readonly NoticeView[]): NoticeView[] {
  const changedAt = ({ createdAt, beganAt, endedAt, ...notice }: NoticeView) =>
    Math.max(...[createdAt, beganAt, endedAt, ...listUpdates(notice).map(update => update.createdAt)].map(Number));
  const newest = notices
    .toSorted((one, other) => changedAt(other) - changedAt(one))
    .slice(0, maxEntries)
    .map(notice => ({ ...notice, updates: takeWithinLimit(notice.updates.toReversed(), countOf).toReversed() }));
  return takeWithinLimit(newest, notice => listUpdates(notice).reduce((sum, update) => sum + countOf(update), 0));
}

const countOf = ({ content }: UpdateView): number => content.length;

/** The items from the start whose texts have at most `maxCharacters` together, and the first in any case. */
function takeWithinLimit<Item>(items: readonly Item[], count: (item: Item) => number): Item[] {
  let characters = 0;
  return items.filter((item, index) => {
    characters += count(item);
    return index === 0 || characters <= maxCharacters;
  });
}

/** Of a category without its label. */
const categoryLength = 100;

/** Leaves components and tags to the first entries: each update of a notice has all of its 2,000. */
function limitCategories(entries: readonly FeedEntry[]): FeedEntry[] {
  let left = maxCharacters;
  const hasRoom = ({ label }: FeedCategory) => {
    left -= categoryLength + label.length;
    return left >= 0;
  };
  const isListed = (category: FeedCategory) =>
    category.kind === 'type' || category.kind === 'state' || hasRoom(category);
  return entries.map(entry => ({ ...entry, categories: entry.categories.filter(isListed) }));
}

const byPublication = (one: FeedEntry, other: FeedEntry): number =>
  other.published.getTime() - one.published.getTime() || other.id.localeCompare(one.id, 'en', { numeric: true });

const buildEntries = (notice: NoticeView, view: PageView, translator: Translator): FeedEntry[] => [
  buildEntry(notice, view, translator),
];

/** An entry for each update, and for what began or ended without one; without any that of the notice. */
function buildUpdateEntries(notice: NoticeView, view: PageView, translator: Translator): FeedEntry[] {
  const { t, label } = translator;
  const whole = buildEntry(notice, view, translator);
  const withState = (state: NoticeState | null) =>
    state ? label(t(`state.${state}`), notice.subject) : notice.subject;
  const changes = listChanges(notice).map(({ name, state, at }): FeedEntry => {
    return { ...whole, id: `${whole.id}/${name}`, title: withState(state), published: at, updated: at };
  });
  const updates = notice.updates.map(
    ({ id, content, state, createdAt, updatedAt }): FeedEntry => ({
      ...whole,
      id: `${whole.id}/update/${id}`,
      url: `${whole.url}#update-${id}`,
      title: withState(state),
      summary: '',
      html: renderMarkdown(content, absoluteUrl(view, '')),
      published: createdAt,
      updated: updatedAt,
    }),
  );
  return updates.length
    ? [...changes, ...updates]
    : [{ ...whole, title: withState(findFirstState(notice)) }, ...changes];
}

interface Change {
  name: 'began' | 'ended';
  state: NoticeState;
  at: Date;
}

/** The beginning of a maintenance, and the end of any notice, that no update is about. */
function listChanges({ type, state, beganAt, endedAt, updates }: NoticeView): Change[] {
  const hasUpdate = (wanted: NoticeState) => updates.some(update => update.state === wanted);
  const changes: Change[] = [];
  if (type === 'planned' && beganAt && !hasUpdate('underway'))
    changes.push({ name: 'began', state: 'underway', at: beganAt });
  if (state && endedAt && !isOpen(state) && !hasUpdate(state)) changes.push({ name: 'ended', state, at: endedAt });
  return changes;
}

const findFirstState = ({ type, state }: NoticeView): NoticeState | null => (type === 'planned' ? 'scheduled' : state);

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
  const updateTimes = [notice, ...listUpdates(notice)].map(({ updatedAt }) => Number(updatedAt));
  return {
    id: createTagUri(getNoticeId(notice)),
    url: noticeUrl(view, notice),
    title: notice.subject,
    summary: notice.synopsis.trim(),
    html: renderNoticeHtml(notice, view, translator),
    published: notice.createdAt,
    updated: new Date(Math.max(...updateTimes)),
    categories: [
      { kind: 'type', term: notice.type, label: t(`state.${notice.type}`) },
      ...(notice.state ? [{ kind: 'state' as const, term: notice.state, label: t(`state.${notice.state}`) }] : []),
      ...notice.named.map(({ id, name }) => ({ kind: 'component' as const, term: String(id), label: name })),
      ...notice.tags.map(tag => ({ kind: 'tag' as const, term: tag, label: tag })),
    ],
  };
}
