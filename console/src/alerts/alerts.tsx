import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { AlertSourcesDocument } from '../api/documents.ts';
import { useRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { formatDistance, useNow } from '../api/times.ts';
import { type Action, ActionButton, useActions } from '../layout/actions.tsx';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { ButtonLink } from '../ui/button.tsx';
import styles from '../ui/list.module.css';
import { EditSource } from './edit-source.tsx';
import type { Group, Source } from './rules.ts';
import { SourceDetails } from './source.tsx';

const refreshMs = 10_000;

/** Where monitors post their alerts, and what became of them; one source with its rules, where the address names it. */
export default function Alerts({ pageId }: { pageId: string }) {
  const session = useSession();
  const [parameters] = useSearchParams();
  const { alertSources, alertGroups } = useRead(AlertSourcesDocument, { pageId }, { intervalMs: refreshMs });
  const sources = alertSources?.nodes ?? [];
  const shown = sources.find(({ id }) => id === parameters.get('source'));
  if (shown) return <SourceDetails key={shown.id} pageId={pageId} source={shown} />;
  return (
    <Overview
      pageId={pageId}
      above={session.pages.find(({ id }) => id === pageId)?.name}
      mayWrite={session.has('OWNER', pageId)}
      sources={sources}
      groups={alertGroups?.nodes ?? []}
    />
  );
}

interface OverviewProps {
  pageId: string;
  above: string | undefined;
  mayWrite: boolean;
  sources: Source[];
  groups: Group[];
}

function Overview({ pageId, above, mayWrite, sources, groups }: OverviewProps) {
  const [isAdding, setAdding] = useState(false);
  const add: Action = { label: 'Add a source', icon: 'plus', key: 'c', run: () => setAdding(true) };
  useActions(mayWrite ? [add] : []);
  return (
    <>
      <ScreenHeader title="Alerts" above={above}>
        {mayWrite && <ActionButton action={add} look="primary" />}
      </ScreenHeader>
      <p className={styles.quiet}>
        {sources.length
          ? 'Alerts become drafts that a person publishes, unless a rule says otherwise.'
          : 'There are no sources yet. A source has an address to which Alertmanager, Grafana, PagerDuty, Better ' +
            'Stack, Uptime Kuma, Amazon CloudWatch or a script posts its alerts, and any other sender whose fields ' +
            'you name. Each becomes a draft that a person publishes.'}
      </p>
      <ul>
        {sources.map(source => (
          <li key={source.id} className={styles.row}>
            <div className={styles.main}>
              <span>{source.name}</span>
              <small>
                Address ends in {source.lastFour}, {source.hasSecret ? 'signed' : 'not signed'}
              </small>
            </div>
            <span>{countRules(source.rules.length)}</span>
            <div className={styles.buttons}>
              <ButtonLink
                look="quiet"
                href={`/pages/${pageId}/alerts?source=${source.id}`}
                aria-label={`Open ${source.name}`}
              >
                Open
              </ButtonLink>
            </div>
          </li>
        ))}
      </ul>
      {sources.length > 0 && <Groups pageId={pageId} groups={groups} sources={sources} />}
      {isAdding && <EditSource pageId={pageId} source={undefined} onClose={() => setAdding(false)} />}
    </>
  );
}

const countRules = (count: number): string => (count === 1 ? '1 rule' : count ? `${count} rules` : 'No rules');

function Groups({ pageId, groups, sources }: Pick<OverviewProps, 'pageId' | 'groups' | 'sources'>) {
  const now = useNow();
  return (
    <Section title="Latest alerts">
      {!groups.length && <p className={styles.quiet}>None was received in the last 7 days.</p>}
      <ul>
        {groups.map(
          ({ id, sourceId, title, firingCount, receivedCount, lastReceivedAt, draftId, noticeId, failure }) => (
            <li key={id} className={styles.row}>
              <div className={styles.main}>
                <span>{title}</span>
                <small>
                  {sources.find(source => source.id === sourceId)?.name}, {formatDistance(lastReceivedAt, now)} ·{' '}
                  {firingCount ? `${firingCount} firing` : 'over'}, received: {receivedCount}
                </small>
                {failure && <small role="note">{failure}</small>}
              </div>
              {draftId ? (
                <Link href={`/pages/${pageId}/drafts/${draftId}`}>Review the draft</Link>
              ) : noticeId ? (
                <Link href={`/pages/${pageId}/notices/${noticeId}`}>The notice</Link>
              ) : (
                <span>{failure ? 'No draft' : 'The draft was deleted'}</span>
              )}
            </li>
          ),
        )}
      </ul>
    </Section>
  );
}
