import { formatCount } from '../ui/format-count.ts';
import type { ArchiveReport, ProductReport } from './send.ts';
import styles from './transfer.module.css';

const shownIds = 3;
const shownReasons = 20;
const names: Record<string, string> = {
  component: 'Components',
  notice: 'Notices',
  update: 'Updates',
  recurrence: 'Recurring maintenance',
  subscriber: 'Subscribers',
};

/** What an import of another product would write, or wrote, and what it leaves out and why. */
export function ProductResult({ report }: { report: ProductReport }) {
  const { dryRun, kinds, leftOut } = report;
  const reasons = [...Map.groupBy(leftOut, ({ reason }) => reason)];
  return (
    <div role="status" className={styles.report}>
      <h3>{dryRun ? 'Nothing is written yet. The import would do this:' : 'The import is done.'}</h3>
      <table>
        <thead>
          <tr>
            {['', 'New', 'Changed', 'Unchanged', 'Left out'].map(heading =>
              heading ? (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ) : (
                <td key={heading} />
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {kinds.map(({ kind, created, changed, unchanged, leftOut: left }) => (
            <tr key={kind}>
              <th scope="row">{names[kind] ?? kind}</th>
              <td>{formatCount(created)}</td>
              <td>{formatCount(changed)}</td>
              <td>{formatCount(unchanged)}</td>
              <td>{formatCount(left)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {reasons.length > 0 && (
        <>
          <h3>Left out</h3>
          <ul className={styles.reasons}>
            {reasons.slice(0, shownReasons).map(([reason, records]) => (
              <li key={reason}>
                {records[0]!.kind[0]!.toUpperCase() + records[0]!.kind.slice(1)}: {reason}
                <small>{describeIds(records.map(({ sourceId }) => sourceId))}</small>
              </li>
            ))}
            {reasons.length > shownReasons && <li>{formatCount(reasons.length - shownReasons)} other reasons</li>}
          </ul>
        </>
      )}
    </div>
  );
}

const describeIds = (ids: string[]): string =>
  ids.slice(0, shownIds).join(', ') + (ids.length > shownIds ? ` and ${formatCount(ids.length - shownIds)} more` : '');

/** What an archive has: its pages, its records, the roles that it gives, and its domains. */
export function ArchiveResult({ report: { dryRun, pages, rows, roles, domains } }: { report: ArchiveReport }) {
  return (
    <div role="status" className={styles.report}>
      <h3>{dryRun ? 'Nothing is written yet. The import would add this:' : 'The import is done.'}</h3>
      <p>{pages.map(({ name }) => name).join(', ')}</p>
      <table>
        <tbody>
          {Object.entries(rows)
            .filter(([, count]) => count)
            .map(([kind, count]) => (
              <tr key={kind}>
                <th scope="row">{kind[0]!.toUpperCase() + kind.slice(1).replaceAll('-', ' ')}</th>
                <td>{formatCount(count)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      <ShortList heading="New roles for people" items={roles.map(({ email, role }) => `${email}: ${role}`)} />
      <ShortList
        heading="Domains that are unverified until DNS proves them to this installation"
        items={domains.map(({ domain }) => domain)}
      />
    </div>
  );
}

function ShortList({ heading, items }: { heading: string; items: string[] }) {
  if (!items.length) return null;
  return (
    <>
      <h3>{heading}</h3>
      <ul className={styles.reasons}>
        {items.slice(0, shownReasons).map(item => (
          <li key={item}>{item}</li>
        ))}
        {items.length > shownReasons && <li>{formatCount(items.length - shownReasons)} more</li>}
      </ul>
    </>
  );
}
