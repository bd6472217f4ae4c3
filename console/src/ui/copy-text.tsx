import { useState } from 'react';
import { Button } from './button.tsx';
import styles from './copy-text.module.css';

/** A text to take elsewhere. Where the browser has no clipboard for the page, it is selected by a click. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState('');
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(text));
  const word = copied === text ? 'Copied' : 'Copy';
  return (
    <div className={styles.row}>
      <span>{label}</span>
      <code>{text}</code>
      {'clipboard' in navigator && (
        <Button look="quiet" icon={copied === text ? 'check' : 'copy'} aria-label={`${word} ${label}`} onClick={copy}>
          {word}
        </Button>
      )}
    </div>
  );
}
