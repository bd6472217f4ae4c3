import type { PreviewFragment } from '../api/documents.ts';
import { useSession } from '../api/session.ts';
import { Select } from '../ui/field.tsx';
import { ChatPreview } from './chat-preview.tsx';
import { DocumentFrame } from './document-frame.tsx';
import { type Previewed, type PreviewTab, previewTabs } from './use-preview.ts';
import styles from './publishing.module.css';

const labels: Record<PreviewTab, string> = {
  page: 'Page',
  mail: 'E-mail',
  sms: 'SMS',
  slack: 'Slack',
  teams: 'Teams',
  mastodon: 'Mastodon',
};

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
  const { pages } = useSession();
  return (
    <section className={styles.previews} aria-label="Preview">
      {pageIds.length > 1 && (
        <Select label="Preview of" value={pageId} onChange={event => onPage(event.target.value)}>
          {pageIds.map(id => (
            <option key={id} value={id}>
              {pages.find(page => page.id === id)?.name}
            </option>
          ))}
        </Select>
      )}
      <fieldset className={styles.tabs}>
        <legend>Preview</legend>
        {previewTabs.map(name => (
          <label key={name}>
            <input type="radio" name="preview" checked={name === tab} onChange={() => onTab(name)} />
            <span>{labels[name]}</span>
          </label>
        ))}
      </fieldset>
      <Message pageId={pageId} messages={preview?.messages} tab={tab} />
    </section>
  );
}

function Message({
  pageId,
  messages,
  tab,
}: {
  pageId: string;
  messages: PreviewFragment['messages'] | undefined;
  tab: PreviewTab;
}) {
  if (!messages) return <p className={styles.empty}>There is nothing to show yet.</p>;
  if (tab === 'page' && messages.page != null)
    return <DocumentFrame title="The page" html={toPathMount(messages.page, pageId)} />;
  if (tab === 'mail' && messages.mail)
    return (
      <>
        <p className={styles.mailSubject}>{messages.mail.subject}</p>
        <DocumentFrame title="The e-mail" html={messages.mail.html} />
      </>
    );
  if (tab === 'sms' && messages.sms != null)
    return (
      <div className={styles.message}>
        <p>{messages.sms}</p>
        <small>{messages.sms.length} characters</small>
      </div>
    );
  if (tab === 'slack' && messages.slack != null) return <ChatPreview text={messages.slack} />;
  if (tab === 'teams' && messages.teams != null) return <ChatPreview text={messages.teams} />;
  if (tab === 'mastodon' && messages.mastodon != null) return <p className={styles.message}>{messages.mastodon}</p>;
  return <p className={styles.empty}>…</p>;
}

/** The page is rendered for its own host; its images are at this origin, too, below /status/. */
const toPathMount = (html: string, pageId: string): string =>
  html.replaceAll(/(src|href)="\/(?!\/)/g, `$1="/status/${pageId}/`);
