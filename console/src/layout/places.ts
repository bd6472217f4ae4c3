import type { Session, SessionPage } from '../api/session.ts';
import type { Action } from './actions.tsx';
import { type MenuGroup, routes } from './routes.ts';

export const situation: Action = { label: 'Situation', icon: 'home', href: '/' };

/** The lines of a group of the menu that the role opens. */
export function listPlaces(session: Session, group: MenuGroup, pageId = ''): Action[] {
  return routes.flatMap(({ path, permission, label, short, icon, key, group: own }) => {
    if (own !== group || !label || !icon) return [];
    if (permission && !permission.isGiven(session, pageId)) return [];
    return [{ label, icon, href: path.replace(':pageId', pageId), ...(short && { short }), ...(key && { key }) }];
  });
}

/** What can be begun anywhere, on this page or else on the one that the form proposes. */
export const listNewActions = (session: Session, pageId?: string): Action[] =>
  listPlaces(session, 'new').map(action => (pageId ? { ...action, href: `${action.href}?page=${pageId}` } : action));

/** The screens of a page that the role opens. */
export const listPagePlaces = (session: Session, { id }: SessionPage): Action[] =>
  (['now', 'page', 'settings'] as const).flatMap(group => listPlaces(session, group, id));

/** What belongs to no single page. The tokens and the log come with the first page. */
export function listOtherPlaces(session: Session): Action[] {
  const access = listPlaces(session, 'access').filter(({ href }) => session.pages.length || href === '/people');
  const graphql: Action[] = session.pages.length ? [{ label: 'GraphQL', icon: 'code', address: '/graphql' }] : [];
  return [...access, ...listPlaces(session, 'create'), ...listPlaces(session, 'account'), ...graphql];
}
