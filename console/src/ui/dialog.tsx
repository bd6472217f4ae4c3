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
  // A selection that begins in a field and ends beside the dialog is a click on the dialog, too.
  const isPressedBeside = useRef(false);
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
      onPointerDown={event => {
        isPressedBeside.current = event.target === element.current;
      }}
      onClick={event => event.target === element.current && isPressedBeside.current && onClose()}
    >
      <div className={styles.content}>
        {heading !== null && <h2>{heading}</h2>}
        {children}
      </div>
    </dialog>
  );
}
