import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './publishing.module.css';

interface Props {
  /** Of the button that was pressed. */
  label: string;
  /** Whether it may have been published, though there was no response. */
  mayHaveArrived: boolean;
  onDiscard: () => void;
}

/** Lies above the buttons and does not move them: the second press of a double press must not discard the first. */
export const Waiting = ({ label, mayHaveArrived, onDiscard }: Props) => (
  <div className={styles.waiting} role="status">
    <Icon name="clock" />
    <div>
      <p>
        <strong>Waiting for a connection</strong>
      </p>
      <p>
        “{label}” is saved in this browser. It is done once, as soon as you are connected
        {mayHaveArrived && ', unless it has been done already'}.
      </p>
      <Button look="quiet" onClick={onDiscard}>
        {mayHaveArrived ? 'Do not wait' : 'Do not publish'}
      </Button>
    </div>
  </div>
);
