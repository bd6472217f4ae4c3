import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import styles from './more-menu.module.css';

/** What is done seldom: folded behind three dots, and closed by Escape or when the focus leaves it. */
export function MoreMenu({ label, children }: { label: string; children: ReactNode }) {
  const element = useRef<HTMLDetailsElement>(null);
  const close = () => element.current?.removeAttribute('open');
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !element.current?.open) return;
    event.stopPropagation();
    close();
    element.current.querySelector('summary')?.focus();
  };
  return (
    <details
      ref={element}
      className={styles.more}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => relatedTarget && !currentTarget.contains(relatedTarget) && close()}
    >
      <summary aria-label={label} title={label}>
        <span aria-hidden="true">⋯</span>
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}
