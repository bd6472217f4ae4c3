import { useEffect, useId, useRef, useState } from 'react';
import styles from './publishing.module.css';

/**
 * A whole document in a frame. It is sent to the service, which answers with it under a policy and a sandbox of its
 * own: in `srcdoc` the policy of the console would take its styles away, and its scripts would have the session.
 */
export function DocumentFrame({ title, html }: { title: string; html: string }) {
  const name = useId();
  const form = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);
  const [isLoaded, setLoaded] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: sent again when the document changes
  useEffect(() => {
    form.current?.submit();
    isSent.current = true;
  }, [html]);
  return (
    <div className={styles.frame}>
      <form ref={form} method="post" action="/console/preview" target={name} encType="text/plain" hidden>
        <input type="hidden" name="html" value={withoutScripts(html)} readOnly />
      </form>
      {/* The empty document that a frame begins with is loaded, too. */}
      <iframe name={name} title={title} sandbox="" onLoad={() => isSent.current && setLoaded(true)} />
      {!isLoaded && <p>Loading the preview …</p>}
    </div>
  );
}

/** The sandbox would not run them, and browsers would say so for each. */
const withoutScripts = (html: string): string => html.replaceAll(/<script\b.*?<\/script>/gs, '');
