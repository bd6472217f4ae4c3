import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { submitOnShortcut } from './form.ts';
import styles from './list.module.css';

interface Props {
  /** What the button that sends the form does, in a word or two. */
  action: ReactNode;
  look?: 'primary' | 'danger';
  isDisabled?: boolean;
  /** Other actions than the two that each form of a dialog has. */
  buttons?: ReactNode;
  /** Shows its errors itself, so that a rejection is ignored. */
  onSubmit: () => unknown;
  onClose: () => void;
  children: ReactNode;
}

/** The form of a dialog: its fields, a button that sends it, and one that closes the dialog. */
export function DialogForm({ action, look = 'primary', isDisabled, buttons, onSubmit, onClose, children }: Props) {
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isDisabled) await onSubmit();
  };
  return (
    <form
      noValidate
      className={styles.form}
      onSubmit={event => void submit(event).catch(() => {})}
      onKeyDown={submitOnShortcut}
    >
      {children}
      <div className={styles.buttons}>
        <Button type="submit" look={look} disabled={isDisabled}>
          {action}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        {buttons}
      </div>
    </form>
  );
}
