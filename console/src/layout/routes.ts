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
  /** Its line in the menu; with a key where it can be opened from everywhere. */
  label?: string;
  icon?: IconName;
  key?: string;
}

const drafter = onSomePage('DRAFTER');
const owner = onSomePageOrAll('OWNER');
const pageViewer = onPage('VIEWER');
const pageDrafter = onPage('DRAFTER');
const pagePublisher = onPage('PUBLISHER');
const pageOwner = onPage('OWNER');
const ownerOfAll = onAllPages('OWNER');

/** Every address but the first, who may open it, and its line in the menu; screens.tsx has its screen. */
const table = [
  { path: '/new/incident', permission: drafter, label: 'Report an incident', icon: 'alert', key: 'n' },
  { path: '/new/maintenance', permission: drafter, label: 'Schedule maintenance', icon: 'wrench', key: 'm' },
  { path: '/new/announcement', permission: drafter, label: 'Make an announcement', icon: 'megaphone', key: 'a' },
  { path: '/published', permission: onSomePage('VIEWER') },
  { path: '/pages/:pageId/notices', permission: pageViewer, label: 'Notices', icon: 'list' },
  { path: '/pages/:pageId/notices/:id', permission: pageViewer },
  { path: '/pages/:pageId/recurring', permission: pageViewer, label: 'Recurring', icon: 'wrench' },
  { path: '/pages/:pageId/drafts', permission: pageDrafter, label: 'Drafts', icon: 'edit' },
  { path: '/pages/:pageId/drafts/:id', permission: pageDrafter },
  { path: '/pages/:pageId/components', permission: pageViewer, label: 'Components', icon: 'tree' },
  { path: '/pages/:pageId/metrics', permission: pageViewer, label: 'Metrics', icon: 'chart' },
  { path: '/pages/:pageId/subscribers', permission: pagePublisher, label: 'Subscribers', icon: 'people' },
  { path: '/pages/:pageId/deliveries', permission: pagePublisher, label: 'Deliveries', icon: 'mail' },
  { path: '/pages/:pageId/reports', permission: pageViewer, label: 'Reports', icon: 'history' },
  { path: '/pages/:pageId/templates', permission: pageViewer, label: 'Templates', icon: 'template' },
  { path: '/pages/:pageId/start', permission: pageOwner },
  { path: '/pages/:pageId/appearance', permission: pageOwner, label: 'Appearance', icon: 'palette' },
  { path: '/pages/:pageId/channels', permission: pageOwner, label: 'Channels', icon: 'chat' },
  { path: '/pages/:pageId/alerts', permission: pagePublisher, label: 'Alerts', icon: 'alert' },
  { path: '/pages/:pageId/domain', permission: pageOwner, label: 'Domain', icon: 'globe' },
  { path: '/pages/:pageId/transfer', permission: pageOwner, label: 'Import and export', icon: 'open' },
  { path: '/pages/:pageId/settings', permission: pageOwner, label: 'Page settings', icon: 'gear' },
  { path: '/new-page', permission: ownerOfAll, label: 'Create a page', icon: 'plus' },
  { path: '/import', permission: ownerOfAll, label: 'Import a page', icon: 'plus' },
  { path: '/people', permission: owner, label: 'People', icon: 'people' },
  { path: '/tokens', permission: owner, label: 'Tokens', icon: 'key' },
  { path: '/audit', permission: owner, label: 'Audit log', icon: 'history' },
  { path: '/account', label: 'Your account', icon: 'person' },
] as const satisfies ScreenRoute[];

export type RoutePath = (typeof table)[number]['path'];
export const routes: readonly (ScreenRoute & { path: RoutePath })[] = table;
