import { isSelfOrAncestor } from '../../components/component-tree.js';
import { extractToken, tokenLength } from '../../notices/notice-text.rules.js';
import type { RequiredNotices } from './load-notices.js';
import { type ComponentView, hasWholeNotice, type NoticeView, type PageView } from './view.js';

/** The query parameters of a request that its route lists, decoded. */
export interface QueryParameters {
  query: Record<string, string>;
}

/** An absolute URL, for content that is read outside the page. */
export function absoluteUrl({ mount }: Pick<PageView, 'mount'>, path: string): string {
  return `${mount.origin}${mount.path}${path}`;
}

/** The absolute URL of the page, without a trailing slash. */
export function pageUrl(view: Pick<PageView, 'mount'>): string {
  return absoluteUrl(view, '').replace(/\/$/, '');
}

export function noticeUrl(view: Pick<PageView, 'mount'>, { path }: Pick<NoticeView, 'path'>): string {
  return absoluteUrl(view, `notices/${path}`);
}

/** The lists that have the notices beyond those that the view contains, and how many. */
export function findOmittedLists(view: Pick<PageView, 'mount' | 'omitted'>): { count: number; url: string }[] {
  const { present, future, general, past } = view.omitted;
  return [
    { count: present + future, url: absoluteUrl(view, 'notices') },
    { count: general + past, url: absoluteUrl(view, 'history') },
  ].filter(({ count }) => count > 0);
}

/** The path with the query of the request and the language of the view: the URL that a feed gives as its own. */
export function withQuery(path: string, { query }: QueryParameters, { locale, page }: PageView): string {
  const language: [string, string][] = locale === page.locale ? [] : [['lang', locale]];
  const parameters = new URLSearchParams([...Object.entries(query), ...language]);
  return parameters.size ? `${path}?${parameters}` : path;
}

/**
 * The component of `?component=12`: undefined when the parameter is absent, null when the page has no such component.
 * Only the canonical form of a number is accepted, so that `012` is not cached as another response.
 */
export function findRequestedComponent(
  view: PageView,
  { query: { component } }: QueryParameters,
): ComponentView | null | undefined {
  if (component === undefined) return undefined;
  return (/^[1-9]\d{0,9}$/.test(component) && view.componentsById.get(Number(component))) || null;
}

/** The notice of `?notice=<token>`: undefined when the parameter is absent, null when the view has no such notice. */
export function findRequestedNotice(
  { notices }: PageView,
  { query: { notice: token } }: QueryParameters,
): NoticeView | null | undefined {
  return token === undefined ? undefined : findNotice(notices, token);
}

export const findNotice = (notices: readonly NoticeView[], token: string): NoticeView | null =>
  notices.find(({ path }) => extractToken(path) === token) ?? null;

/** The notice of `?notice=<token>` where the view lacks it, or some of its texts. */
export function requireRequestedNotice(parameters: QueryParameters, view: PageView): RequiredNotices | null {
  const { notice: token } = parameters.query;
  return token === undefined || !tokenPattern.test(token) ? null : requireNotice(view, token);
}

/** The notice of a token where the view lacks it, or some of its texts. */
export const requireNotice = (view: PageView, token: string): RequiredNotices | null =>
  hasWholeNotice(view, ({ path }) => extractToken(path) === token) ? null : { token };

const tokenPattern = new RegExp(`^[a-z0-9]{${tokenLength}}$`);

/** Whether a notice matters to followers of a component: it names it, an ancestor or a descendant, or no component. */
export function concerns({ components }: NoticeView, component: ComponentView): boolean {
  return (
    !components.length ||
    components.some(
      named => isSelfOrAncestor(named, one => one === component) || isSelfOrAncestor(component, one => one === named),
    )
  );
}
