import { Fragment } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useAvailableActions } from './actions.tsx';
import list from '../ui/list.module.css';
import styles from './menu.module.css';

export default function Help({ onClose }: { onClose: () => void }) {
  const actions = useAvailableActions().filter(({ key }) => key);
  return (
    <Dialog title="Keys" heading="Keyboard shortcuts on this screen" onClose={onClose}>
      <dl className={styles.keys}>
        {actions.map(({ key, label }) => (
          <Fragment key={label}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </Fragment>
        ))}
        <dt>
          <kbd>Ctrl Enter</kbd>
        </dt>
        <dd>Submit the form</dd>
      </dl>
      <div className={list.buttons}>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
