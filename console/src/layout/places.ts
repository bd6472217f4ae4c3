import type { Session, SessionPage } from '../api/session.ts';
import type { Action } from './actions.tsx';
import { routes, type ScreenRoute } from './routes.ts';

const pagePrefix = '/pages/:pageId/';

/** The lines of the menu that the role opens. */
function listPlaces(session: Session, isListed: (route: ScreenRoute) => boolean, pageId = ''): Action[] {
  return routes.flatMap(route => {
    const { path, permission, label, icon, key } = route;
    if (!label || !icon || !isListed(route)) return [];
    if (permission && !permission.isGiven(session, pageId)) return [];
    return [{ label, icon, href: path.replace(':pageId', pageId), ...(key && { key }) }];
  });
}

/** What can be begun anywhere. The first page is a proposal: the form lets choose another. */
export const listGlobalActions = (session: Session): Action[] => listPlaces(session, ({ key }) => key !== undefined);

/** The screens of a page that the role opens. */
export function listPagePlaces(session: Session, { id, name }: SessionPage, isNameKnown = false): Action[] {
  const toLabel = (label: string) => (isNameKnown || session.pages.length === 1 ? label : `${name}: ${label}`);
  const places = listPlaces(session, ({ path }) => path.startsWith(pagePrefix), id);
  return places.map(place => ({ ...place, label: toLabel(place.label) }));
}

/** What belongs to no single page; before the first page, what leads to one. */
export function listPersonPlaces(session: Session): Action[] {
  const places = listPlaces(session, ({ path, key }) => !key && !path.startsWith(pagePrefix));
  if (!session.pages.length) return places.filter(({ href }) => !laterPlaces.includes(href!));
  return [...places, { label: 'GraphQL', icon: 'code', address: '/graphql' }];
}

const laterPlaces = ['/tokens', '/audit'];
