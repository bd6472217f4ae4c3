import { Link } from 'wouter';
import { StartDocument } from '../api/documents.ts';
import { useRead } from '../api/hooks.ts';
import { RequestError } from '../api/transport.ts';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { ButtonLink, OutsideLink } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { DemoData } from './demo-data.tsx';
import { Missing } from './missing.tsx';
import styles from './first-run.module.css';

/** What comes after a page was created. */
const steps: { path: string; icon: IconName; label: string; text: string }[] = [
  {
    path: 'appearance',
    icon: 'palette',
    label: 'Appearance',
    text: 'Set colours and a logo, and preview the page in an incident',
  },
  {
    path: 'channels',
    icon: 'chat',
    label: 'Channels',
    text: 'Connect Slack, Teams, Discord or Mastodon, and send a test',
  },
  { path: 'domain', icon: 'globe', label: 'Domain', text: 'Use your own address, such as status.example.com' },
  { path: 'subscribers', icon: 'people', label: 'Subscribers', text: 'Import a list, or add people one by one' },
];

export default function Start({ pageId }: { pageId: string }) {
  const { page } = useRead(StartDocument, { pageId });
  if (!page) throw new RequestError('The page does not exist, or was deleted.', 'NOT_FOUND');
  return (
    <>
      <ScreenHeader title={`${page.name} has a status page`} />
      <p>
        Your page is public at <a href={page.url}>{page.url}</a>
      </p>
      <div className={styles.first}>
        <OutsideLink look="primary" isLarge icon="open" href={page.url}>
          View the page
        </OutsideLink>
        <ButtonLink isLarge icon="alert" href={`/new/incident?page=${pageId}`}>
          Try an incident (notify nobody)
        </ButtonLink>
      </div>
      <Missing pageId={pageId} />
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
      <Section title="Look around with demonstration data">
        <DemoData pageId={pageId} hasDemoData={page.hasDemoData} />
      </Section>
    </>
  );
}
