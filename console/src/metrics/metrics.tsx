import { useState } from 'react';
import { MetricsDocument } from '../api/documents.ts';
import { useRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { formatTime } from '../api/times.ts';
import { type Action, ActionButton, useActions } from '../layout/actions.tsx';
import { ScreenHeader } from '../layout/screen.tsx';
import { CopyableText, TokenSource } from '../publishing/copy-as.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EditMetric, type Metric } from './edit-metric.tsx';
import listStyles from '../ui/list.module.css';
import styles from './metrics.module.css';

const refreshMs = 60_000;
/** As the service allows. */
const maxMetrics = 20;

type Open = { dialog: 'edit' | 'send'; metric?: Metric };

/** The numbers that the page shows over time, and how programs send their values. */
export default function Metrics({ pageId }: { pageId: string }) {
  const session = useSession();
  const metrics = useRead(MetricsDocument, { pageId }, { intervalMs: refreshMs }).metrics?.nodes ?? [];
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const mayWrite = session.has('OWNER', pageId);
  const isFull = metrics.length >= maxMetrics;
  const add: Action = { label: 'Add a metric', icon: 'plus', key: 'c', run: () => setOpen({ dialog: 'edit' }) };
  const actions = mayWrite && !isFull ? [add] : [];
  useActions(actions);
  return (
    <>
      <ScreenHeader title="Metrics" above={session.pages.find(({ id }) => id === pageId)?.name}>
        {actions.map(action => (
          <ActionButton key={action.label} action={action} look="primary" />
        ))}
      </ScreenHeader>
      <p className={listStyles.quiet}>
        {metrics.length
          ? 'The page shows each as a line of the last day, week or month, unless it is hidden.'
          : 'There are no metrics yet. A metric is a number that the page shows over time, such as a response time ' +
            'or the length of a queue. A program of yours sends its values.'}
        {mayWrite && isFull && ` A page has at most ${maxMetrics} metrics: delete one to add another.`}
      </p>
      <ul>
        {metrics.map(metric => (
          <MetricRow
            key={metric.id}
            metric={metric}
            onSend={session.has('PUBLISHER', pageId) ? () => setOpen({ dialog: 'send', metric }) : undefined}
            onEdit={mayWrite ? () => setOpen({ dialog: 'edit', metric }) : undefined}
          />
        ))}
      </ul>
      {open?.dialog === 'edit' && <EditMetric pageId={pageId} metric={open.metric} onClose={close} />}
      {open?.dialog === 'send' && <SendValues pageId={pageId} metric={open.metric!} onClose={close} />}
    </>
  );
}

interface RowProps {
  metric: Metric;
  /** Absent: the role does not allow it. */
  onSend: (() => void) | undefined;
  onEdit: (() => void) | undefined;
}

function MetricRow({ metric, onSend, onEdit }: RowProps) {
  const { name, color, isShown, latestValueAt } = metric;
  return (
    <li className={listStyles.row}>
      <div className={listStyles.main}>
        <span className={styles.name}>
          <span className={styles.line} style={{ background: color }} />
          {name}
        </span>
        <small>
          {latestValueAt
            ? `${formatValue(metric)}, average of 5 minutes from ${formatTime(latestValueAt)}`
            : 'No values yet'}
          {!isShown && ', not on the page'}
        </small>
      </div>
      <div className={listStyles.buttons}>
        {onSend && (
          <Button look="quiet" aria-label={`Send values of ${name}`} onClick={onSend}>
            Send values
          </Button>
        )}
        {onEdit && (
          <Button look="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
        )}
      </div>
    </li>
  );
}

function formatValue({ latestValue, decimalPlaces, unit }: Metric): string {
  const digits = { minimumFractionDigits: decimalPlaces, maximumFractionDigits: decimalPlaces };
  return [new Intl.NumberFormat('en', digits).format(latestValue!), unit].filter(Boolean).join(' ');
}

interface SendProps {
  pageId: string;
  metric: Metric;
  onClose: () => void;
}

/** The request that a program sends for each value. */
function SendValues({ pageId, metric: { id, name }, onClose }: SendProps) {
  const title = `Send values of ${name}`;
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={listStyles.form}>
        <CopyableText
          text={`curl ${location.origin}/v1/pages/${pageId}/metrics/${id}/data \\
  -H "Authorization: Bearer $ALL_CLEAR_TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{ "data": { "value": 42.5 } }'`}
        />
        <p>
          The program needs a token of the role publisher as <code>ALL_CLEAR_TOKEN</code>. <TokenSource />
        </p>
        <p>Without a timestamp, the current time is used. The page shows new values within a minute.</p>
        <div className={listStyles.buttons}>
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}
