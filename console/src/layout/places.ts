import type { Session, SessionPage } from '../api/session.ts';
import type { Role } from '../api/documents.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Action } from './actions.tsx';

/** What can be begun anywhere. The first page is a proposal: the form lets choose another. */
export function listGlobalActions(session: Session): Action[] {
  if (!session.pagesWith('DRAFTER').length) return [];
  return [
    { label: 'Report an incident', icon: 'alert', key: 'n', href: '/new/incident' },
    { label: 'Schedule maintenance', icon: 'wrench', key: 'm', href: '/new/maintenance' },
    { label: 'Make an announcement', icon: 'megaphone', key: 'a', href: '/new/announcement' },
  ];
}

const pagePlaces: { label: string; icon: IconName; path: string; role: Role }[] = [
  { label: 'Notices', icon: 'list', path: 'notices', role: 'VIEWER' },
  { label: 'Drafts', icon: 'edit', path: 'drafts', role: 'DRAFTER' },
  { label: 'Components', icon: 'tree', path: 'components', role: 'VIEWER' },
  { label: 'Subscribers', icon: 'people', path: 'subscribers', role: 'PUBLISHER' },
  { label: 'Deliveries', icon: 'mail', path: 'deliveries', role: 'PUBLISHER' },
  { label: 'Templates', icon: 'template', path: 'templates', role: 'VIEWER' },
  { label: 'Appearance', icon: 'palette', path: 'appearance', role: 'OWNER' },
  { label: 'Channels', icon: 'chat', path: 'channels', role: 'OWNER' },
  { label: 'Domain', icon: 'globe', path: 'domain', role: 'OWNER' },
  { label: 'Page settings', icon: 'gear', path: 'settings', role: 'OWNER' },
];

/** The screens of a page that the role opens. */
export function listPagePlaces(session: Session, { id, name }: SessionPage, isNameKnown = false): Action[] {
  const toLabel = (label: string) => (isNameKnown || session.pages.length === 1 ? label : `${name}: ${label}`);
  return pagePlaces
    .filter(({ role }) => session.has(role, id))
    .map(({ label, icon, path }) => ({ label: toLabel(label), icon, href: `/pages/${id}/${path}` }));
}

/** What belongs to no single page. */
export function listPersonPlaces(session: Session): Action[] {
  const owned: Action[] = [
    { label: 'People', icon: 'people', href: '/people' },
    { label: 'Tokens', icon: 'key', href: '/tokens' },
    { label: 'Audit log', icon: 'history', href: '/audit' },
  ];
  const create: Action[] = session.has('OWNER') ? [{ label: 'Create a page', icon: 'plus', href: '/new-page' }] : [];
  const own: Action[] = [
    { label: 'Your account', icon: 'person', href: '/account' },
    { label: 'GraphQL', icon: 'code', address: '/graphql' },
  ];
  return session.pagesWith('OWNER').length || session.has('OWNER') ? [...create, ...owned, ...own] : own;
}
