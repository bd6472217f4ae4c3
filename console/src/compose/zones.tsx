import { ZoneDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { formatTime } from '../api/times.ts';
import styles from './compose.module.css';

interface Props {
  beginsAt: string;
  endsAt: string;
  /** The name of the zone of the page, as the service has it. */
  pageZone: string | undefined;
}

/** The window in the zone of the page, in UTC and in that of the browser, side by side. */
export function Zones({ beginsAt, endsAt, pageZone }: Props) {
  const { data } = useLazyRead(ZoneDocument, { name: pageZone ?? '' }, { isEnabled: Boolean(pageZone) });
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = data?.timezones?.nodes[0]?.id;
  const rows = [
    ...(zone && zone !== own && zone !== 'UTC' ? [[`Page (${pageZone})`, zone]] : []),
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
