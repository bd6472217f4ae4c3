import styles from './publishing.module.css';

/** Names of the properties of Slack's blocks, Teams' cards and Discord's embeds that people read. */
const textProperties = new Set(['text', 'value', 'title', 'description', 'name']);

/** The texts of a chat message, in their order: how a chat draws them is its own affair. */
export function ChatPreview({ text }: { text: string }) {
  const lines = collectTexts(JSON.parse(text));
  return (
    <div className={styles.message}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one message do not move
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}

export function collectTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(collectTexts);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? (textProperties.has(name) ? [inner] : []) : collectTexts(inner),
  );
}
