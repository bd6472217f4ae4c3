import type { Run } from './chat-markup.ts';
import type { MessagePart } from './chat-message.ts';
import styles from './publishing.module.css';

/** A message as a chat or a browser draws it. */
export function ChatPreview({ parts }: { parts: MessagePart[] }) {
  return (
    <div className={styles.message}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one message do not move
        <p key={index} className={styles[part.kind]}>
          {part.kind === 'fact' && <strong>{part.title}</strong>}
          <Runs runs={part.runs} />
        </p>
      ))}
    </div>
  );
}

const Runs = ({ runs }: { runs: Run[] }) =>
  runs.map((run, index) => {
    if (typeof run === 'string') return run;
    const { style: Style } = run;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs of one text do not move
      <Style key={index}>
        <Runs runs={run.runs} />
      </Style>
    );
  });
