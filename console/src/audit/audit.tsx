import { useState } from 'react';
import { Link } from 'wouter';
import { AuditLogDocument, type AuditInterface } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { formatTime } from '../api/times.ts';
import { AccessPlaces } from '../layout/access-places.tsx';
import { Loading, ScreenHeader } from '../layout/screen.tsx';
import { FormError, Options, Select } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import { type AuditEntry, describeEntry } from './sentences.ts';
import styles from '../ui/list.module.css';

const interfaceNames: Record<AuditInterface, string> = {
  CONSOLE: 'console',
  GRAPHQL: 'GraphQL',
  V1: '/v1',
  CLI: 'command line',
  AUTOMATION: 'automation',
};

/** Who changed what, by what, and when. */
export default function Audit() {
  const session = useSession();
  const pages = session.pagesWith('OWNER');
  const [pageId, setPageId] = useState(session.has('OWNER') ? '' : pages[0]!.id);
  const cursors = useCursors();
  const { data, error } = useLazyRead(AuditLogDocument, { pageId: pageId || null, after: cursors.after });
  return (
    <>
      <ScreenHeader title="Audit log" />
      <AccessPlaces />
      <FormError>{error?.message}</FormError>
      <div className={styles.filters}>
        <Select
          label="Page"
          value={pageId}
          onChange={event => {
            setPageId(event.target.value);
            cursors.restart();
          }}
        >
          {session.has('OWNER') && <option value="">All</option>}
          <Options of={pages.map(({ id, name }) => [id, name])} />
        </Select>
      </div>
      {!data && !error && <Loading />}
      {data?.auditLog?.nodes.length === 0 && (
        <p className={styles.quiet}>Changes to your pages, people and tokens will be listed here.</p>
      )}
      <ul>
        {data?.auditLog?.nodes.map(entry => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ul>
      <Pager cursors={cursors} pageInfo={data?.auditLog?.pageInfo} />
    </>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { pages } = useSession();
  const { text, label, href } = describeEntry(entry, pages.find(({ id }) => id === entry.pageId)?.name);
  const { recordedAt, actor, interface: by, operation, changes } = entry;
  return (
    <li className={styles.row}>
      <div className={styles.main}>
        <p>
          {text} {href ? <Link href={href}>{label}</Link> : label}
        </p>
        <details>
          <summary>Details</summary>
          <p>
            <code>{operation}</code>
          </p>
          <dl>
            {changes.map(change => (
              <div key={change.id}>
                <dt>
                  {change.record}: {change.field}
                </dt>
                <dd>
                  {change.before ?? '–'} → {change.after ?? '–'}
                </dd>
              </div>
            ))}
          </dl>
          {!changes.length && <p>This operation does not record fields.</p>}
        </details>
      </div>
      <small>{[...new Set([actor.label, interfaceNames[by], formatTime(recordedAt)])].join(', ')}</small>
    </li>
  );
}
