import { type ComponentType, lazy } from 'react';
import { Link, Route, Switch, useParams } from 'wouter';
import { useSession } from './api/session.ts';
import { Home } from './home/home.tsx';
import { type Permission, type RoutePath, routes, type ScreenRoute } from './layout/routes.ts';
import { ScreenHeader } from './layout/screen.tsx';
import styles from './layout/screen.module.css';

/** What is needed in an incident is loaded before it is asked for: the network may be lost by then. */
export const urgent = [() => import('./compose/compose.tsx'), () => import('./notices/notice.tsx')] as const;
const Compose = lazy(urgent[0]);

const screens: Record<RoutePath, ComponentType<{ pageId: string; id: string }>> = {
  '/new/incident': () => <Compose kind="incident" />,
  '/new/maintenance': () => <Compose kind="maintenance" />,
  '/new/announcement': () => <Compose kind="announcement" />,
  '/published': lazy(() => import('./compose/published.tsx')),
  '/pages/:pageId/notices': lazy(() => import('./notices/notice-list.tsx')),
  '/pages/:pageId/notices/:id': lazy(urgent[1]),
  '/pages/:pageId/recurring': lazy(() => import('./recurrence/recurring.tsx')),
  '/pages/:pageId/drafts': lazy(() => import('./drafts/drafts.tsx')),
  '/pages/:pageId/drafts/:id': lazy(() => import('./drafts/review.tsx')),
  '/pages/:pageId/components': lazy(() => import('./components/components.tsx')),
  '/pages/:pageId/metrics': lazy(() => import('./metrics/metrics.tsx')),
  '/pages/:pageId/subscribers': lazy(() => import('./subscribers/subscribers.tsx')),
  '/pages/:pageId/deliveries': lazy(() => import('./deliveries/deliveries.tsx')),
  '/pages/:pageId/reports': lazy(() => import('./reports/report.tsx')),
  '/pages/:pageId/templates': lazy(() => import('./templates/templates.tsx')),
  '/pages/:pageId/start': lazy(() => import('./first-run/start.tsx')),
  '/pages/:pageId/appearance': lazy(() => import('./appearance/appearance.tsx')),
  '/pages/:pageId/channels': lazy(() => import('./channels/channels.tsx')),
  '/pages/:pageId/alerts': lazy(() => import('./alerts/alerts.tsx')),
  '/pages/:pageId/domain': lazy(() => import('./domain/domain.tsx')),
  '/pages/:pageId/transfer': lazy(() => import('./transfer/transfer.tsx')),
  '/pages/:pageId/settings': lazy(() => import('./settings/settings.tsx')),
  '/new-page': lazy(() => import('./first-run/create-page.tsx')),
  '/import': lazy(() => import('./transfer/transfer.tsx')),
  '/people': lazy(() => import('./people/people.tsx')),
  '/tokens': lazy(() => import('./tokens/tokens.tsx')),
  '/audit': lazy(() => import('./audit/audit.tsx')),
  '/account': lazy(() => import('./account/account.tsx')),
};

/** The screen of the address, where the role allows it. */
export const Screens = () => (
  <Switch>
    <Route path="/" component={Home} />
    {routes.map(({ path, permission }) => (
      <Route key={path} path={path}>
        <Screen permission={permission} Content={screens[path]} />
      </Route>
    ))}
    <Route>
      <ScreenHeader title="Page not found" />
      <p>
        Nothing is at this address. <Link href="/">Go to the situation</Link>.
      </p>
    </Route>
  </Switch>
);

function Screen({
  permission,
  Content,
}: Pick<ScreenRoute, 'permission'> & { Content: ComponentType<{ pageId: string; id: string }> }) {
  const session = useSession();
  const { pageId = '', id = '' } = useParams();
  if (permission && !permission.isGiven(session, pageId)) return <Refused permission={permission} />;
  // A form of another record is another form.
  return <Content key={`${pageId} ${id}`} pageId={pageId} id={id} />;
}

const Refused = ({ permission: { role, where } }: { permission: Permission }) => (
  <div role="alert" className={styles.failure}>
    <ScreenHeader title="Your role does not allow this" />
    <p>
      You need the role {role.toLowerCase()} {where}. An owner can give it to you.
    </p>
  </div>
);
