import { Route, Switch, useParams } from 'wouter';
import { useSession } from '../api/session.ts';
import { Home } from '../home/home.tsx';
import { type Permission, routes, type ScreenRoute } from './routes.ts';
import { ScreenHeader } from './screen.tsx';
import styles from './screen.module.css';

/** The screen of the address, where the role allows it. */
export const Screens = () => (
  <Switch>
    <Route path="/" component={Home} />
    {routes.map(route => (
      <Route key={route.path} path={route.path}>
        <Screen route={route} />
      </Route>
    ))}
    <Route>
      <ScreenHeader title="There is no such screen" />
    </Route>
  </Switch>
);

function Screen({ route: { permission, Screen: Content, props } }: { route: ScreenRoute }) {
  const session = useSession();
  const { pageId = '', id = '' } = useParams();
  if (permission && !permission.isGiven(session, pageId)) return <Refused permission={permission} />;
  // A form of another record is another form.
  return <Content key={`${pageId} ${id}`} {...{ pageId, id, kind: '', ...props }} />;
}

const Refused = ({ permission: { role, where } }: { permission: Permission }) => (
  <div role="alert" className={styles.failure}>
    <ScreenHeader title="Your role does not allow this" />
    <p>
      You need the role {role.toLowerCase()} {where}. An owner can give it to you.
    </p>
  </div>
);
