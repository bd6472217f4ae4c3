import { useState } from 'react';
import { Link } from 'wouter';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import styles from './publishing.module.css';

interface Props {
  document: { toString(): string };
  /** Without secrets: they stand on the screen. */
  variables: object;
}

/** What a form would send, for a script: the text of GraphQL, and a command that sends it. */
export function CopyAs({ document, variables }: Props) {
  const [format, setFormat] = useState<Format>();
  return (
    <details className={styles.copy}>
      <summary>Use in a script</summary>
      <div className={styles.formats}>
        {(Object.keys(formats) as Format[]).map(name => (
          <Button
            key={name}
            look="quiet"
            aria-expanded={name === format}
            onClick={() => setFormat(name === format ? undefined : name)}
          >
            {name}
          </Button>
        ))}
      </div>
      {format && (
        <>
          <CopyableText text={formats[format](document, variables)} />
          <p>
            The program needs a token as <code>ALL_CLEAR_TOKEN</code>. <TokenSource />
          </p>
        </>
      )}
    </details>
  );
}

/** Where a person gets a token, by what the role allows. */
export function TokenSource() {
  if (!useSession().pagesWith('OWNER').length) return 'Ask an owner of the page for one: only owners create tokens.';
  return (
    <>
      You create it on the screen <Link href="/tokens">Tokens</Link>.
    </>
  );
}

/** What holds at this moment only. */
const momentary = ['previewHash', 'ifVersion'];
const withoutMomentary = (name: string, value: unknown): unknown => (momentary.includes(name) ? undefined : value);

const formats = {
  GraphQL: (document: Props['document'], variables: object) =>
    `${document.toString().trim()}\n\n# Variables:\n` +
    JSON.stringify(variables, withoutMomentary, 2).replaceAll(/^/gm, '# '),
  // A quoted here-document takes every character as it is; the text of JSON has no line that could end it.
  curl: (document: Props['document'], variables: object) => `curl ${location.origin}/graphql \\
  -H "Authorization: Bearer $ALL_CLEAR_TOKEN" \\
  -H 'Content-Type: application/json' \\
  --data-binary @- <<'JSON'
${JSON.stringify({ query: document.toString().trim(), variables }, withoutMomentary, 2)}
JSON`,
};
type Format = keyof typeof formats;

/** Browsers allow a page to write to the clipboard on https only: the text is selected by a click, too. */
export function CopyableText({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <div className={styles.copyable}>
      <pre>{text}</pre>
      {'clipboard' in navigator && (
        <Button look="secondary" onClick={copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </div>
  );
}
