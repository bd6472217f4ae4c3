import { type ReactNode, useEffect, useRef } from 'react';
import styles from './dialog.module.css';

interface Props {
  title: string;
  /** Default: the title. Null: none. */
  heading?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** The element of the platform: it takes the focus, keeps it, and gives it back. */
export function Dialog({ title, heading = title, onClose, children }: Props) {
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
      <div className={styles.content}>
        {heading !== null && <h2>{heading}</h2>}
        {children}
      </div>
    </dialog>
  );
}
