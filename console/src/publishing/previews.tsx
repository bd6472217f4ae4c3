import type { ChannelAddress, PreviewFragment } from '../api/documents.ts';
import { useSession } from '../api/session.ts';
import { Options, Select } from '../ui/field.tsx';
import { readChatMessage } from './chat-message.ts';
import { ChatPreview } from './chat-preview.tsx';
import { toOwnOrigin } from '../images/own-origin.ts';
import { DocumentFrame } from './document-frame.tsx';
import { type Previewed, type PreviewTab } from './use-preview.ts';
import styles from './publishing.module.css';

interface Props {
  shown: Previewed;
  /** Those that can be chosen. */
  pageIds: string[];
  tab: PreviewTab;
  onTab: (tab: PreviewTab) => void;
  onPage: (pageId: string) => void;
}

/** What readers will see, as the service renders it: one message of one page at a time. */
export function Previews({ shown: { pageId, preview }, pageIds, tab, onTab, onPage }: Props) {
  const { pages, channels } = useSession();
  return (
    <section className={styles.previews} aria-label="Preview">
      {pageIds.length > 1 && (
        <Select label="Preview of" value={pageId} onChange={event => onPage(event.target.value)}>
          <Options of={pageIds.map(id => [id, pages.find(page => page.id === id)?.name])} />
        </Select>
      )}
      <ChannelTabs channels={['PAGE' as const, ...channels.map(({ channel }) => channel)]} tab={tab} onTab={onTab} />
      <Message pageId={pageId} messages={preview?.messages} tab={tab} />
    </section>
  );
}

interface TabsProps<Tab extends PreviewTab> {
  channels: Tab[];
  tab: Tab;
  onTab: (tab: Tab) => void;
}

/** Which message is shown. */
export function ChannelTabs<Tab extends PreviewTab>({ channels, tab, onTab }: TabsProps<Tab>) {
  const session = useSession();
  return (
    <fieldset className={styles.tabs}>
      <legend>Preview</legend>
      {channels.map(name => (
        <label key={name}>
          <input type="radio" name="preview" checked={name === tab} onChange={() => onTab(name)} />
          <span>{name === 'PAGE' ? 'Page' : session.describeChannel(name).label}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface MessageProps {
  pageId: string;
  messages: Pick<NonNullable<PreviewFragment['messages']>, 'page' | 'mail' | 'text'> | null | undefined;
  tab: PreviewTab;
}

export function Message({ pageId, messages, tab }: MessageProps) {
  const session = useSession();
  if (!messages) return <p className={styles.empty}>There is nothing to show yet.</p>;
  if (tab === 'PAGE' && messages.page != null)
    return <DocumentFrame title="The page" html={toPathMount(messages.page, pageId)} />;
  if (tab === 'EMAIL' && messages.mail)
    return (
      <>
        <p className={styles.mailSubject}>{messages.mail.subject}</p>
        <DocumentFrame title="The e-mail" html={toOwnOrigin(messages.mail.html, pageId)} />
      </>
    );
  if (tab !== 'PAGE' && tab !== 'EMAIL' && messages.text != null)
    return <TextMessage text={messages.text} address={session.describeChannel(tab).address} />;
  return <p className={styles.empty}>Loading the preview …</p>;
}

/** Chats and browsers are sent JSON that they draw; a program reads all of what a webhook is sent. */
function TextMessage({ text, address }: { text: string; address: ChannelAddress }) {
  const parts = address === 'WEBHOOKS' ? undefined : readChatMessage(text);
  if (parts) return <ChatPreview parts={parts} />;
  if (text.startsWith('{')) return <pre className={styles.message}>{text}</pre>;
  if (address !== 'PHONE_NUMBER') return <p className={styles.message}>{text}</p>;
  return (
    <div className={styles.message}>
      <p>{text}</p>
      <small>{text.length} characters</small>
    </div>
  );
}

/** The page is rendered for its own host; its images are at this origin, too, below /status/. */
const toPathMount = (html: string, pageId: string): string =>
  html.replaceAll(/(src|href)="\/(?!\/)/g, `$1="/status/${pageId}/`);
