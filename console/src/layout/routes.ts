import { type ComponentType, lazy } from 'react';
import type { Role } from '../api/documents.ts';
import type { Session } from '../api/session.ts';
import type { IconName } from '../ui/icon.tsx';

/** Who may open a screen. */
export interface Permission {
  role: Role;
  /** Where the role is needed, as the screen that refuses says it. */
  where: string;
  isGiven(session: Session, pageId: string): boolean;
}

const onPage = (role: Role): Permission => ({
  role,
  where: 'on this page',
  isGiven: (session, pageId) => session.has(role, pageId),
});
/** For screens in which one chooses a page. */
const onSomePage = (role: Role): Permission => ({
  role,
  where: 'on a page',
  isGiven: session => session.pagesWith(role).length > 0,
});
/** For what exists before the first page, too. */
const onSomePageOrAll = (role: Role): Permission => ({
  role,
  where: 'on a page',
  isGiven: session => session.has(role) || session.pagesWith(role).length > 0,
});
const onAllPages = (role: Role): Permission => ({
  role,
  where: 'on all pages',
  isGiven: session => session.has(role),
});

type Props = { pageId: string; id: string; kind: string };

export interface ScreenRoute {
  path: string;
  /** Absent: every person who is signed in. */
  permission?: Permission;
  Screen: ComponentType<Props>;
  /** What the path does not say. */
  props?: Partial<Props>;
  /** Its line in the menu; with a key where it can be opened from everywhere. */
  label?: string;
  icon?: IconName;
  key?: string;
}

/** What is needed in an incident is loaded before it is asked for: the network may be lost by then. */
export const urgent = [() => import('../compose/compose.tsx'), () => import('../notices/notice.tsx')] as const;
const Compose = lazy(urgent[0]);
const [drafter, owner] = [onSomePage('DRAFTER'), onSomePageOrAll('OWNER')];

/** Every screen but the first, who may open it, and its line in the menu. */
export const routes: ScreenRoute[] = [
  {
    ...{ path: '/new/incident', permission: drafter, Screen: Compose, props: { kind: 'incident' } },
    ...{ label: 'Report an incident', icon: 'alert', key: 'n' },
  },
  {
    ...{ path: '/new/maintenance', permission: drafter, Screen: Compose, props: { kind: 'maintenance' } },
    ...{ label: 'Schedule maintenance', icon: 'wrench', key: 'm' },
  },
  {
    ...{ path: '/new/announcement', permission: drafter, Screen: Compose, props: { kind: 'announcement' } },
    ...{ label: 'Make an announcement', icon: 'megaphone', key: 'a' },
  },
  { path: '/published', permission: onSomePage('VIEWER'), Screen: lazy(() => import('../compose/published.tsx')) },
  {
    ...{ path: '/pages/:pageId/notices', permission: onPage('VIEWER'), label: 'Notices', icon: 'list' },
    Screen: lazy(() => import('../notices/notice-list.tsx')),
  },
  { path: '/pages/:pageId/notices/:id', permission: onPage('VIEWER'), Screen: lazy(urgent[1]) },
  {
    ...{ path: '/pages/:pageId/drafts', permission: onPage('DRAFTER'), label: 'Drafts', icon: 'edit' },
    Screen: lazy(() => import('../drafts/drafts.tsx')),
  },
  {
    ...{ path: '/pages/:pageId/drafts/:id', permission: onPage('DRAFTER') },
    Screen: lazy(() => import('../drafts/review.tsx')),
  },
  {
    ...{ path: '/pages/:pageId/components', permission: onPage('VIEWER'), label: 'Components', icon: 'tree' },
    Screen: lazy(() => import('../components/components.tsx')),
  },
  {
    ...{ path: '/pages/:pageId/subscribers', permission: onPage('PUBLISHER'), label: 'Subscribers', icon: 'people' },
    Screen: lazy(() => import('../subscribers/subscribers.tsx')),
  },
  {
    ...{ path: '/pages/:pageId/deliveries', permission: onPage('PUBLISHER'), label: 'Deliveries', icon: 'mail' },
    Screen: lazy(() => import('../deliveries/deliveries.tsx')),
  },
  {
    ...{ path: '/pages/:pageId/templates', permission: onPage('VIEWER'), label: 'Templates', icon: 'template' },
    Screen: lazy(() => import('../templates/templates.tsx')),
  },
  {
    ...{ path: '/pages/:pageId/start', permission: onPage('OWNER') },
    Screen: lazy(() => import('../first-run/start.tsx')),
  },
  {
    ...{ path: '/pages/:pageId/appearance', permission: onPage('OWNER'), label: 'Appearance', icon: 'palette' },
    Screen: lazy(() => import('../appearance/appearance.tsx')),
  },
  {
    ...{ path: '/pages/:pageId/channels', permission: onPage('OWNER'), label: 'Channels', icon: 'chat' },
    Screen: lazy(() => import('../channels/channels.tsx')),
  },
  {
    ...{ path: '/pages/:pageId/domain', permission: onPage('OWNER'), label: 'Domain', icon: 'globe' },
    Screen: lazy(() => import('../domain/domain.tsx')),
  },
  {
    ...{ path: '/pages/:pageId/settings', permission: onPage('OWNER'), label: 'Page settings', icon: 'gear' },
    Screen: lazy(() => import('../settings/settings.tsx')),
  },
  {
    ...{ path: '/new-page', permission: onAllPages('OWNER'), label: 'Create a page', icon: 'plus' },
    Screen: lazy(() => import('../first-run/create-page.tsx')),
  },
  {
    ...{ path: '/people', permission: owner, label: 'People', icon: 'people' },
    Screen: lazy(() => import('../people/people.tsx')),
  },
  {
    ...{ path: '/tokens', permission: owner, label: 'Tokens', icon: 'key' },
    Screen: lazy(() => import('../tokens/tokens.tsx')),
  },
  {
    ...{ path: '/audit', permission: owner, label: 'Audit log', icon: 'history' },
    Screen: lazy(() => import('../audit/audit.tsx')),
  },
  { path: '/account', label: 'Your account', icon: 'person', Screen: lazy(() => import('../account/account.tsx')) },
];
