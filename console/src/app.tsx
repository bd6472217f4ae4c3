import { lazy, Suspense, useEffect } from 'react';
import { useSessionQuery } from './api/hooks.ts';
import { Session, SessionContext } from './api/session.ts';
import { ActionRegistry } from './layout/actions.tsx';
import { ScreenBoundary } from './layout/screen.tsx';
import { Shell } from './layout/shell.tsx';
import { SignedOut } from './layout/signed-out.tsx';
import { Screens, urgent } from './screens.tsx';

const loadLeft = () => import('./publishing/left-outboxes.tsx');
const LeftOutboxes = lazy(loadLeft);

/** As the document has it, before any script runs. */
const frame = (
  <div className="frame" aria-hidden="true">
    <div className="frame-top" />
    <div className="frame-lines">
      <i />
      <i />
      <i />
      <i />
    </div>
  </div>
);

export const App = () => (
  <ScreenBoundary isDocument fallback={frame}>
    <SignedIn />
  </ScreenBoundary>
);

function SignedIn() {
  const { viewer, channels } = useSessionQuery();
  const isSignedIn = viewer?.kind === 'PERSON';
  useEffect(() => {
    // One that is not loaded now is loaded when it is opened.
    if (isSignedIn) for (const load of [...urgent, loadLeft]) void load().catch(() => {});
  }, [isSignedIn]);
  if (!isSignedIn) return <SignedOut />;
  return (
    <SessionContext value={new Session(viewer, channels ?? [])}>
      <ActionRegistry>
        <Shell>
          <Suspense>
            <LeftOutboxes />
          </Suspense>
          <ScreenBoundary>
            <Screens />
          </ScreenBoundary>
        </Shell>
      </ActionRegistry>
    </SessionContext>
  );
}
