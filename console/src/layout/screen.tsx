import { QueryErrorResetBoundary } from '@tanstack/react-query';
import { Component, type ReactNode, Suspense } from 'react';
import { Button } from '../ui/button.tsx';
import { RequestError } from '../api/transport.ts';
import { useDocumentTitle } from './tab-state.tsx';
import styles from './screen.module.css';

/** The heading of a screen, which is also the title of the document. */
export function ScreenHeader({ title, above, children }: { title: string; above?: ReactNode; children?: ReactNode }) {
  useDocumentTitle(title);
  return (
    <header className={styles.header}>
      <div>
        {above && <p className={styles.above}>{above}</p>}
        <h1>{title}</h1>
      </div>
      {children && <div className={styles.tools}>{children}</div>}
    </header>
  );
}

/** With an id where a menu leads to it. */
export const Section = ({ id, title, children }: { id?: string; title: ReactNode; children: ReactNode }) => (
  <section id={id} className={styles.section}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** The shape of a screen, for those who see; the word for the others. */
export const Loading = () => (
  <div className={`${styles.loading} frame-lines`}>
    <p>Loading …</p>
    <i />
    <i />
    <i />
  </div>
);

interface BoundaryProps {
  children: ReactNode;
  /** A part of a screen: where it fails, the rest stays. */
  isPart?: boolean;
  /** The whole document: where it fails, nothing else is shown. */
  isDocument?: boolean;
  /** Shown while it loads. */
  fallback?: ReactNode;
}

/** What a screen shows while it loads, and where it has failed. */
export const ScreenBoundary = ({
  children,
  isPart = false,
  isDocument = false,
  fallback = <Loading />,
}: BoundaryProps) => (
  <QueryErrorResetBoundary>
    {({ reset }) => (
      <ErrorBoundary reset={reset} isPart={isPart} isDocument={isDocument}>
        <Suspense fallback={fallback}>{children}</Suspense>
      </ErrorBoundary>
    )}
  </QueryErrorResetBoundary>
);

class ErrorBoundary extends Component<BoundaryProps & { reset: () => void }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const retry = () => {
      this.props.reset();
      this.setState({ error: null });
    };
    const failure = (
      <div role="alert" className={styles.failure}>
        {this.props.isPart ? <p>{toTitle(error)}.</p> : <h1>{toTitle(error)}</h1>}
        <p>{error.message}</p>
        <Button onClick={retry}>Try again</Button>
      </div>
    );
    return this.props.isDocument ? <main className={styles.document}>{failure}</main> : failure;
  }
}

function toTitle(error: Error): string {
  if (!(error instanceof RequestError)) return 'This could not be loaded';
  if (error.code === 'UNAUTHENTICATED') return 'You are signed out';
  if (error.code === 'FORBIDDEN') return 'This is not allowed';
  return error.code === 'NOT_FOUND' ? 'This does not exist' : 'This could not be loaded';
}
