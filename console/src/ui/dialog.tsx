import { type ReactNode, useEffect, useRef } from 'react';
import styles from './dialog.module.css';

/** The element of the platform: it takes the focus, keeps it, and gives it back. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key is Escape, which closes every dialog
    <dialog
      ref={element}
      className={styles.dialog}
      aria-label={title}
      onClose={onClose}
      onClick={event => event.target === element.current && onClose()}
    >
      <div className={styles.content}>{children}</div>
    </dialog>
  );
}
