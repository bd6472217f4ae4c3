import { useEffect } from 'react';
import { CheckDomainDocument, type DomainQuery } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { formatDistance, formatTime, useNow } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './domain.module.css';

type CustomDomain = NonNullable<NonNullable<DomainQuery['page']>['customDomain']>;

const intervalMs = 10_000;

/** What DNS says. It is asked again every ten seconds while somebody looks at a domain that is not verified yet. */
export function DomainCheck({ pageId, domain }: { pageId: string; domain: CustomDomain }) {
  const now = useNow();
  const check = useWrite(CheckDomainDocument);
  const isWaiting = !domain.isVerified;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mutation is another object at each rendering
  useEffect(() => {
    if (!isWaiting) return;
    const lookAgain = () => document.visibilityState === 'visible' && check.mutate({ pageId });
    lookAgain();
    const timer = setInterval(lookAgain, intervalMs);
    return () => clearInterval(timer);
  }, [isWaiting, pageId, domain.domain]);
  return (
    <div className={styles.check}>
      <p role="status" className={isWaiting ? styles.waiting : styles.verified}>
        <Icon name={isWaiting ? 'clock' : 'check'} />
        <span>
          {isWaiting ? 'DNS does not confirm the domain yet' : 'Verified: the page is served here'}
          {domain.missingSince && `, but the record is missing since ${formatTime(domain.missingSince)}`}
        </span>
      </p>
      {domain.findingText && <p>{domain.findingText}</p>}
      <FormError>{check.error?.message}</FormError>
      <div className={styles.again}>
        <Button onClick={() => check.mutate({ pageId })}>Check now</Button>
        <small>
          {domain.checkedAt ? `Checked ${formatDistance(domain.checkedAt, now)}` : 'Not checked yet'}
          {isWaiting && ', again every ten seconds while this screen is open'}
        </small>
      </div>
    </div>
  );
}
