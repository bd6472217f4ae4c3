import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useSession } from '../api/session.ts';
import { listStored, removeStored } from '../api/stored.ts';
import { Button } from '../ui/button.tsx';
import { useHere, useOutbox } from './outbox.ts';
import styles from './publishing.module.css';

interface Left {
  name: string;
  path: string;
}

/** Sends what was pressed on screens that were left before there was a response, and says what came of it. */
export default function LeftOutboxes() {
  const { email } = useSession();
  const here = useHere();
  const [left, setLeft] = useState<Left[]>([]);
  useEffect(() => {
    const stored = listStored<{ path: string }>('outbox ')
      .filter(({ name }) => ` ${name} `.includes(` ${email} `))
      .map(({ name, value }) => ({ name, path: value.path }));
    // A screen that is open again sends its own.
    setLeft(before => [
      ...before.filter(({ path, name }) => path !== here && !stored.some(each => each.name === name)),
      ...stored.filter(({ path }) => path !== here),
    ]);
  }, [here, email]);
  const drop = (name: string) => setLeft(before => before.filter(each => each.name !== name));
  return (
    <div role="status" className={styles.left}>
      {left.map(each => (
        <LeftOutbox key={each.name} {...each} onDrop={() => drop(each.name)} />
      ))}
    </div>
  );
}

function LeftOutbox({ name, path, onDrop }: Left & { onDrop: () => void }) {
  const outbox = useOutbox(name, () => {
    removeStored(name);
    onDrop();
  });
  const { state, changed, errors } = outbox;
  const reason = changed?.message ?? Object.values(errors).join(' ');
  if (state === 'idle' && !reason) return null;
  const text = {
    idle: `What you sent on another screen was not published. ${reason}`,
    sending: 'What you sent on another screen is being published.',
    waiting: 'What you sent on another screen waits for a connection, and is published as soon as there is one.',
    old: 'You sent something some time ago on another screen, and got no response.',
  }[state];
  return (
    <p>
      {text} <Link href={path}>Open that screen</Link>{' '}
      {state === 'idle' && (
        <Button look="quiet" onClick={onDrop}>
          Close
        </Button>
      )}
    </p>
  );
}
