import { DeleteDomainDocument, DomainDocument } from '../api/documents.ts';
import { useRead, useWrite } from '../api/hooks.ts';
import { RequestError } from '../api/transport.ts';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { WriteError } from '../layout/write-error.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { ClaimForm } from './claim-form.tsx';
import { DomainCheck } from './domain-check.tsx';
import { findObstacle, getHost } from './obstacle.ts';
import styles from '../ui/list.module.css';
import domainStyles from './domain.module.css';

/** At which host name of one's own the page is: the record to create, and whether DNS has it. */
export default function Domain({ pageId }: { pageId: string }) {
  const { page } = useRead(DomainDocument, { pageId });
  const remove = useWrite(DeleteDomainDocument);
  if (!page) throw new RequestError('The page does not exist, or was deleted.', 'NOT_FOUND');
  const { customDomain: domain } = page;
  const obstacle = findObstacle(domain?.cnameTarget ?? getHost(page.url));
  return (
    <>
      <ScreenHeader title="Domain" above={page.name} />
      <p className={styles.quiet}>
        The page is at <a href={page.url}>{page.url}</a>
      </p>
      {obstacle && (
        <div className={domainStyles.warning}>
          <strong>The address of this service is {obstacle}: no DNS record can point to it</strong>
          <p>
            Set <code>PUBLIC_URL</code> in the environment of the service, such as{' '}
            <code>https://status.example.com</code>, and restart it.
          </p>
        </div>
      )}
      {domain && (
        <>
          <Section title={domain.domain}>
            <DomainCheck pageId={pageId} domain={domain} />
          </Section>
          {!domain.isVerified && (
            <>
              <Section title="Create this record at your DNS provider">
                <CopyText label="Type" text="CNAME" />
                <CopyText label="Name" text={domain.domain} />
                <CopyText label="Target" text={domain.cnameTarget} />
              </Section>
              <Section title="Or create this record, for a root domain or behind a proxy">
                <CopyText label="Type" text="TXT" />
                <CopyText label="Name" text={domain.txtName} />
                <CopyText label="Value" text={domain.txtValue} />
              </Section>
            </>
          )}
        </>
      )}
      <Section title={domain ? 'Use another domain' : 'Add a domain'}>
        <ClaimForm pageId={pageId} />
      </Section>
      {domain && (
        <div className={styles.end}>
          <WriteError error={remove.error} />
          <div className={styles.buttons}>
            <ConfirmButton
              label="Remove the domain"
              question={`Remove ${domain.domain}`}
              onConfirm={() => remove.mutate({ pageId })}
            />
          </div>
        </div>
      )}
    </>
  );
}
