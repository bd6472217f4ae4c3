import { lazy, useEffect } from 'react';
import { Route, Switch } from 'wouter';
import { SessionDocument } from './api/documents.ts';
import { useRead } from './api/hooks.ts';
import { Session, SessionContext } from './api/session.ts';
import { Home } from './home/home.tsx';
import { ActionRegistry } from './layout/actions.tsx';
import { ScreenBoundary, ScreenHeader } from './layout/screen.tsx';
import { Shell } from './layout/shell.tsx';
import { SignedOut } from './layout/signed-out.tsx';

/** What is needed in an incident is loaded before it is asked for: the network may be lost by then. */
const urgent = [() => import('./compose/compose.tsx'), () => import('./notices/notice.tsx')] as const;

const Compose = lazy(urgent[0]);
const Published = lazy(() => import('./compose/published.tsx'));
const Drafts = lazy(() => import('./drafts/drafts.tsx'));
const Review = lazy(() => import('./drafts/review.tsx'));
const Components = lazy(() => import('./components/components.tsx'));
const Deliveries = lazy(() => import('./deliveries/deliveries.tsx'));
const Subscribers = lazy(() => import('./subscribers/subscribers.tsx'));
const Templates = lazy(() => import('./templates/templates.tsx'));
const People = lazy(() => import('./people/people.tsx'));
const Account = lazy(() => import('./account/account.tsx'));
const Tokens = lazy(() => import('./tokens/tokens.tsx'));
const Audit = lazy(() => import('./audit/audit.tsx'));
const Settings = lazy(() => import('./settings/settings.tsx'));
const Domain = lazy(() => import('./domain/domain.tsx'));
const CreatePage = lazy(() => import('./first-run/create-page.tsx'));
const Start = lazy(() => import('./first-run/start.tsx'));
const Appearance = lazy(() => import('./appearance/appearance.tsx'));
const Channels = lazy(() => import('./channels/channels.tsx'));
const NoticeScreen = lazy(urgent[1]);
const NoticeList = lazy(() => import('./notices/notice-list.tsx'));

export const App = () => (
  <ScreenBoundary>
    <SignedIn />
  </ScreenBoundary>
);

function SignedIn() {
  const { viewer } = useRead(SessionDocument, {});
  const isSignedIn = viewer?.kind === 'PERSON';
  useEffect(() => {
    // One that is not loaded now is loaded when it is opened.
    if (isSignedIn) for (const load of urgent) void load().catch(() => {});
  }, [isSignedIn]);
  if (!isSignedIn) return <SignedOut />;
  return (
    <SessionContext value={new Session(viewer)}>
      <ActionRegistry>
        <Shell>
          <ScreenBoundary>
            <Screens />
          </ScreenBoundary>
        </Shell>
      </ActionRegistry>
    </SessionContext>
  );
}

const Screens = () => (
  <Switch>
    <Route path="/" component={Home} />
    <Route path="/new/:kind">{({ kind }) => <Compose key={kind} kind={kind} />}</Route>
    <Route path="/pages/:pageId/notices">{({ pageId }) => <NoticeList key={pageId} pageId={pageId} />}</Route>
    <Route path="/pages/:pageId/notices/:id">
      {({ pageId, id }) => <NoticeScreen key={id} pageId={pageId} id={id} />}
    </Route>
    <Route path="/published" component={Published} />
    <Route path="/pages/:pageId/drafts">{({ pageId }) => <Drafts key={pageId} pageId={pageId} />}</Route>
    <Route path="/pages/:pageId/drafts/:id">{({ pageId, id }) => <Review key={id} pageId={pageId} id={id} />}</Route>
    <Route path="/pages/:pageId/components">{({ pageId }) => <Components key={pageId} pageId={pageId} />}</Route>
    <Route path="/pages/:pageId/subscribers">{({ pageId }) => <Subscribers key={pageId} pageId={pageId} />}</Route>
    <Route path="/pages/:pageId/deliveries">{({ pageId }) => <Deliveries key={pageId} pageId={pageId} />}</Route>
    <Route path="/pages/:pageId/templates">{({ pageId }) => <Templates key={pageId} pageId={pageId} />}</Route>
    <Route path="/pages/:pageId/settings">{({ pageId }) => <Settings key={pageId} pageId={pageId} />}</Route>
    <Route path="/new-page">{() => <CreatePage />}</Route>
    <Route path="/pages/:pageId/start">{({ pageId }) => <Start key={pageId} pageId={pageId} />}</Route>
    <Route path="/pages/:pageId/appearance">{({ pageId }) => <Appearance key={pageId} pageId={pageId} />}</Route>
    <Route path="/pages/:pageId/channels">{({ pageId }) => <Channels key={pageId} pageId={pageId} />}</Route>
    <Route path="/pages/:pageId/domain">{({ pageId }) => <Domain key={pageId} pageId={pageId} />}</Route>
    <Route path="/people">{() => <People />}</Route>
    <Route path="/account">{() => <Account />}</Route>
    <Route path="/tokens">{() => <Tokens />}</Route>
    <Route path="/audit">{() => <Audit />}</Route>
    <Route>
      <ScreenHeader title="There is no such screen" />
    </Route>
  </Switch>
);
