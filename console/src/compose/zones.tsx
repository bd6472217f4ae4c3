import { formatTime } from '../api/times.ts';
import styles from './compose.module.css';

interface Props {
  beginsAt: string;
  endsAt: string;
  /** The time zone of the page. */
  pageZone: { timezone: string; timezoneName: string } | undefined;
}

/** The window in the zone of the page, in UTC and in that of the browser, side by side. */
export function Zones({ beginsAt, endsAt, pageZone }: Props) {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { timezone: zone, timezoneName } = pageZone ?? {};
  const rows = [
    ...(zone && zone !== own && zone !== 'UTC' ? [[`Page (${timezoneName})`, zone]] : []),
    ['Your time', own],
    ...(own === 'UTC' ? [] : [['UTC', 'UTC']]),
  ] as [string, string][];
  return (
    <table className={styles.zones}>
      <tbody>
        {rows.map(([label, timeZone]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{formatTime(beginsAt, timeZone)}</td>
            <td>{formatTime(endsAt, timeZone)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
