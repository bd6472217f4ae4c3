import type { Asked } from '../server/public-route.js';
import type { ComponentView, NoticeView, PageView } from './view.js';

/** The whole address of something of a page, for what is read away from it. */
export function absolute({ place }: Pick<PageView, 'place'>, path: string): string {
  return `${place.origin}${place.path}${path}`;
}

export function noticeAddress(view: Pick<PageView, 'place'>, { path }: Pick<NoticeView, 'path'>): string {
  return absolute(view, `notices/${path}`);
}

/** A path with what was asked of it, in the language of the view: the address that a feed says it has. */
export function withQuery(path: string, { query }: Asked, { locale, page }: PageView): string {
  const language: [string, string][] = locale === page.locale ? [] : [['lang', locale]];
  const parameters = new URLSearchParams([...Object.entries(query), ...language]);
  return parameters.size ? `${path}?${parameters}` : path;
}

/** `?component=12`: undefined when it was not asked for, null when the page has no such component. One way of writing a number, one drawing. */
export function askedComponent(view: PageView, { query: { component } }: Asked): ComponentView | null | undefined {
  if (component === undefined) return undefined;
  return (/^[1-9]\d{0,9}$/.test(component) && view.componentsById.get(Number(component))) || null;
}

/** Whether who follows a component wants to hear of a notice: it names it, or one above or below, or none at all. */
export function concerns({ components }: NoticeView, component: ComponentView): boolean {
  return !components.length || components.some(named => isWithin(named, component) || isWithin(component, named));
}

/** A loop: nesting has no limit, and the stack has one. */
function isWithin(component: ComponentView, ancestor: ComponentView): boolean {
  for (let current: ComponentView | null = component; current; current = current.parent)
    if (current === ancestor) return true;
  return false;
}
