import { type AlertFieldsInput, TryAlertRulesDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { formatTime } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import styles from '../ui/list.module.css';
import own from './alerts.module.css';
import { actionNames } from './rules.ts';

export interface TrialProps {
  /** Null: those of the source. */
  fields?: AlertFieldsInput | null;
  pageId: string;
  sourceId: string;
  templates: { id: string; name: string }[];
}

/** What the stored rules would make of the last payload. */
export function Trial({ pageId, sourceId, templates, fields = null }: TrialProps) {
  const trial = useLazyRead(TryAlertRulesDocument, { pageId, id: sourceId, fields }, { isEnabled: false });
  const problems = trial.data?.tryAlertRules?.userErrors.map(({ message }) => message.replaceAll('`', ''));
  const alerts = trial.data?.tryAlertRules?.alerts;
  return (
    <section className={styles.end}>
      <h2>Try it with the last payload</h2>
      <p className={styles.quiet}>It shows what the rules would make of each alert. Nothing is stored or published.</p>
      <div className={styles.buttons}>
        <Button onClick={() => void trial.refetch()} disabled={trial.isFetching}>
          Try it
        </Button>
      </div>
      <FormError>{trial.error?.message ?? problems?.join(' ')}</FormError>
      {alerts?.length === 0 && <p>No alert arrived in the last 7 days.</p>}
      <ul aria-label="What the rules would do">
        {alerts?.map(
          ({ title, text, group, startsAt, isFiring, service, labels, action, componentIds, templateId }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
            <li key={index} className={styles.row}>
              <div className={styles.main}>
                <span>{title}</span>
                <span>
                  {[
                    actionNames[action],
                    templates.find(({ id }) => id === templateId)?.name,
                    componentIds.length > 0 && `components: ${componentIds.length}`,
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </span>
                {text && <small className={own.labels}>{text}</small>}
                <small className={own.labels}>
                  {isFiring ? 'Firing' : 'Over'}
                  {service && ` · service ${service}`}
                  {` · group ${group}`}
                  {startsAt && ` · since ${formatTime(startsAt)}`}
                  {labels.length > 0 && ` · ${labels.map(({ name, value }) => `${name}=${value}`).join(', ')}`}
                </small>
              </div>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
