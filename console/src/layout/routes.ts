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

export interface ScreenRoute {
  path: string;
  /** Absent: every person who is signed in. */
  permission?: Permission;
  /** Its line in the menu; with a key where it can be opened from everywhere, and a word where there is little room. */
  label?: string;
  short?: string;
  icon?: IconName;
  key?: string;
  group?: MenuGroup;
}

/** The groups of the menu. `access` is one line, whose screens lead to each other. */
export type MenuGroup = 'new' | 'now' | 'page' | 'settings' | 'access' | 'create' | 'account';

const drafter = onSomePage('DRAFTER');
const owner = onSomePageOrAll('OWNER');
const pageViewer = onPage('VIEWER');
const pageDrafter = onPage('DRAFTER');
const pagePublisher = onPage('PUBLISHER');
const pageOwner = onPage('OWNER');
const ownerOfAll = onAllPages('OWNER');

/** Every address but the first, who may open it, and its line in the menu; screens.tsx has its screen. */
const table = [
  {
    path: '/new/incident',
    permission: drafter,
    group: 'new',
    label: 'Report an incident',
    short: 'Incident',
    icon: 'alert',
    key: 'n',
  },
  {
    path: '/new/maintenance',
    permission: drafter,
    group: 'new',
    label: 'Schedule maintenance',
    short: 'Maintenance',
    icon: 'wrench',
    key: 'm',
  },
  {
    path: '/new/announcement',
    permission: drafter,
    group: 'new',
    label: 'Make an announcement',
    short: 'Announcement',
    icon: 'megaphone',
    key: 'a',
  },
  { path: '/published', permission: onSomePage('VIEWER') },
  { path: '/pages/:pageId/notices', permission: pageViewer, group: 'now', label: 'Notices', icon: 'list' },
  { path: '/pages/:pageId/notices/:id', permission: pageViewer },
  { path: '/pages/:pageId/drafts', permission: pageDrafter, group: 'now', label: 'Drafts', icon: 'edit' },
  { path: '/pages/:pageId/drafts/:id', permission: pageDrafter },
  { path: '/pages/:pageId/alerts', permission: pagePublisher, group: 'now', label: 'Alerts', icon: 'bell' },
  { path: '/pages/:pageId/components', permission: pageViewer, group: 'page', label: 'Components', icon: 'tree' },
  { path: '/pages/:pageId/recurring', permission: pageViewer, group: 'page', label: 'Maintenance', icon: 'calendar' },
  {
    path: '/pages/:pageId/subscribers',
    permission: pagePublisher,
    group: 'page',
    label: 'Subscribers',
    icon: 'people',
  },
  { path: '/pages/:pageId/deliveries', permission: pagePublisher, group: 'page', label: 'Deliveries', icon: 'mail' },
  { path: '/pages/:pageId/channels', permission: pageOwner, group: 'page', label: 'Channels', icon: 'chat' },
  { path: '/pages/:pageId/metrics', permission: pageViewer, group: 'page', label: 'Metrics', icon: 'chart' },
  { path: '/pages/:pageId/reports', permission: pageViewer, group: 'page', label: 'Reports', icon: 'report' },
  { path: '/pages/:pageId/templates', permission: pageViewer, group: 'page', label: 'Templates', icon: 'template' },
  { path: '/pages/:pageId/start', permission: pageOwner },
  { path: '/pages/:pageId/appearance', permission: pageOwner, group: 'settings', label: 'Appearance', icon: 'palette' },
  { path: '/pages/:pageId/domain', permission: pageOwner, group: 'settings', label: 'Domain', icon: 'globe' },
  { path: '/pages/:pageId/settings', permission: pageOwner, group: 'settings', label: 'Page settings', icon: 'gear' },
  {
    path: '/pages/:pageId/transfer',
    permission: pageOwner,
    group: 'settings',
    label: 'Import and export',
    icon: 'exchange',
  },
  { path: '/people', permission: owner, group: 'access', label: 'People', icon: 'shield' },
  { path: '/tokens', permission: owner, group: 'access', label: 'Tokens', icon: 'key' },
  { path: '/audit', permission: owner, group: 'access', label: 'Audit log', icon: 'history' },
  { path: '/new-page', permission: ownerOfAll, group: 'create', label: 'Create a page', icon: 'plus' },
  { path: '/import', permission: ownerOfAll, group: 'create', label: 'Import a page', icon: 'open' },
  { path: '/account', group: 'account', label: 'Your account', icon: 'person' },
] as const satisfies ScreenRoute[];

export type RoutePath = (typeof table)[number]['path'];
export const routes: readonly (ScreenRoute & { path: RoutePath })[] = table;
