import { useState } from 'react';
import { AuditLogDocument, type Interface } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { formatTime } from '../api/times.ts';
import { ScreenHeader } from '../layout/screen.tsx';
import { FormError, Select } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import styles from '../ui/list.module.css';

const interfaceNames: Record<Interface, string> = {
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
          {pages.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      {data?.auditLog?.nodes.length === 0 && <p className={styles.quiet}>There is nothing yet.</p>}
      <ul>
        {data?.auditLog?.nodes.map(({ id, at, actor, interface: by, operation, changes, ...entry }) => (
          <li key={id} className={styles.row}>
            <details className={styles.main}>
              <summary>
                {operation} {entry.subject && `${entry.subject} ${entry.subjectLabel ?? entry.subjectId ?? ''}`}
              </summary>
              <dl>
                {changes.map(change => (
                  <div key={change.id}>
                    <dt>{change.field}</dt>
                    <dd>
                      {change.before ?? '–'} → {change.after ?? '–'}
                    </dd>
                  </div>
                ))}
              </dl>
              {!changes.length && <p>The fields are not recorded.</p>}
            </details>
            <small>
              {actor}, {interfaceNames[by]}, {formatTime(at)}
            </small>
          </li>
        ))}
      </ul>
      <Pager cursors={cursors} pageInfo={data?.auditLog?.pageInfo} />
    </>
  );
}
