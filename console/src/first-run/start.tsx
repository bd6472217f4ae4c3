import { Link } from 'wouter';
import { StartDocument } from '../api/documents.ts';
import { useRead } from '../api/hooks.ts';
import { RequestError } from '../api/transport.ts';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { DemoData } from './demo-data.tsx';
import styles from './first-run.module.css';

/** What comes after a page was created. */
const steps: { path: string; icon: IconName; label: string; text: string }[] = [
  { path: 'appearance', icon: 'palette', label: 'Appearance', text: 'Colours, a logo, and how it looks in trouble' },
  { path: 'channels', icon: 'chat', label: 'Channels', text: 'Slack, Teams or Mastodon, each with a test' },
  { path: 'domain', icon: 'globe', label: 'Domain', text: 'A host name of yours, by one DNS record' },
  { path: 'subscribers', icon: 'people', label: 'Subscribers', text: 'Import a list, or let them subscribe' },
];

export default function Start({ pageId }: { pageId: string }) {
  const { page } = useRead(StartDocument, { pageId });
  if (!page) throw new RequestError('The page does not exist, or was deleted.', 'NOT_FOUND');
  return (
    <>
      <ScreenHeader title={`${page.name} has a status page`} />
      <p>
        Everybody sees it at <a href={page.url}>{page.url}</a>
      </p>
      <Section title="Look around with demonstration data">
        <DemoData pageId={pageId} hasDemoData={page.hasDemoData} />
      </Section>
      <Section title="What comes next">
        <nav className={styles.next} aria-label="What comes next">
          {steps.map(({ path, icon, label, text }) => (
            <Link key={path} href={`/pages/${pageId}/${path}`}>
              <Icon name={icon} />
              <span>
                <strong>{label}</strong>
                <small>{text}</small>
              </span>
            </Link>
          ))}
        </nav>
      </Section>
    </>
  );
}
