import { useState } from 'react';
import { useLocation } from 'wouter';
import {
  type AlertFieldsInput,
  AlertPayloadsDocument,
  type AlertRuleInput,
  DeleteAlertSourceDocument,
  UpdateAlertSourceDocument,
} from '../api/documents.ts';
import { useRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { formatTime } from '../api/times.ts';
import { ScreenHeader } from '../layout/screen.tsx';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import styles from '../ui/list.module.css';
import own from './alerts.module.css';
import { EditFields } from './edit-fields.tsx';
import { EditRule } from './edit-rule.tsx';
import { EditSource } from './edit-source.tsx';
import { actionNames, describeRule, formatNames, type Source } from './rules.ts';
import { Trial } from './trial.tsx';

const refreshMs = 10_000;

/** One source: its rules, what they would make of the last payload, and what was received. */
export function SourceDetails({ pageId, source }: { pageId: string; source: Source }) {
  const mayWrite = useSession().has('OWNER', pageId);
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<'source' | { part: 'fields' | number; read: Source }>();
  const update = useWrite(UpdateAlertSourceDocument);
  const remove = useWrite(DeleteAlertSourceDocument);
  const data = useRead(AlertPayloadsDocument, { pageId, sourceId: source.id }, { intervalMs: refreshMs });
  const { rules } = source;
  const templates = (data.noticeTemplates?.nodes ?? []).filter(({ type }) => type === null || type === 'UNPLANNED');
  const overview = `/pages/${pageId}/alerts`;
  // What a dialog changes is that which was read when it was opened: rules have no id.
  const save = (changed: AlertRuleInput[], { version: ifVersion } = source) =>
    update.mutateAsync({ pageId, id: source.id, ifVersion, input: { rules: changed } });
  const move = (index: number) => void save(rules.with(index - 1, rules[index]!).with(index, rules[index - 1]!));
  const onDelete = () =>
    void remove.mutateAsync({ pageId, id: source.id }).then(
      () => navigate(overview),
      () => {},
    );
  return (
    <>
      <ScreenHeader title={source.name} above="Alerts">
        {mayWrite && <Button onClick={() => setOpen({ part: 'fields', read: source })}>Field paths</Button>}
        {mayWrite && <Button onClick={() => setOpen('source')}>Name, secret, address</Button>}
      </ScreenHeader>
      <h2>Rules</h2>
      <p className={styles.quiet}>
        The first rule that selects an alert decides. An alert that none selects becomes a draft.
      </p>
      <WriteError error={update.error ?? remove.error} />
      <ol className={own.rules}>
        {rules.map((rule, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule has no id
          <li key={index} className={styles.row}>
            <div className={styles.main}>
              <span>{describeRule(rule)}</span>
              <small>{describeEffect(rule, templates)}</small>
            </div>
            {mayWrite && (
              <div className={styles.buttons}>
                {index > 0 && (
                  <Button look="quiet" aria-label={`Move rule ${index + 1} up`} onClick={() => move(index)}>
                    Up
                  </Button>
                )}
                <Button
                  look="quiet"
                  aria-label={`Edit rule ${index + 1}`}
                  onClick={() => setOpen({ part: index, read: source })}
                >
                  Edit
                </Button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {mayWrite && (
        <Button icon="plus" onClick={() => setOpen({ part: rules.length, read: source })}>
          Add a rule
        </Button>
      )}
      <Trial pageId={pageId} sourceId={source.id} templates={templates} />
      <section className={styles.end}>
        <h2>Last payloads</h2>
        {!data.alertPayloads?.nodes.length && <p className={styles.quiet}>None was received in the last 7 days.</p>}
        {data.alertPayloads?.nodes.map(({ id, receivedAt, format, alertCount, body, failure }) => (
          <details key={id}>
            <summary>
              {formatTime(receivedAt)}, {format ? formatNames[format] : 'unknown format'}, alerts: {alertCount}
              {failure && ` · ${failure}`}
            </summary>
            <pre className={own.body}>{body}</pre>
          </details>
        ))}
      </section>
      {mayWrite && (
        <div className={styles.end}>
          <div className={styles.buttons}>
            <ConfirmButton label="Delete the source" question={`Delete ${source.name}`} onConfirm={onDelete} />
          </div>
        </div>
      )}
      {open === 'source' && <EditSource pageId={pageId} source={source} onClose={() => setOpen(undefined)} />}
      {typeof open === 'object' && open.part === 'fields' && (
        <EditFields
          pageId={pageId}
          sourceId={source.id}
          templates={templates}
          fields={open.read.fields as AlertFieldsInput | null}
          save={fields =>
            update.mutateAsync({ pageId, id: source.id, ifVersion: open.read.version, input: { fields } })
          }
          onClose={() => setOpen(undefined)}
        />
      )}
      {typeof open === 'object' && open.part !== 'fields' && (
        <EditRule
          pageId={pageId}
          rules={open.read.rules}
          index={open.part}
          templates={templates}
          save={changed => save(changed, open.read)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

function describeEffect(rule: AlertRuleInput, templates: { id: string; name: string }[]): string {
  const { action, templateId, componentIds, shouldResolve } = rule;
  const template = templates.find(({ id }) => id === templateId)?.name;
  const count = componentIds?.length ?? 0;
  return [
    actionNames[action ?? 'DRAFT'],
    template && `template ${template}`,
    count > 0 && (count === 1 ? '1 component' : `${count} components`),
    shouldResolve && 'resolved by itself',
  ]
    .filter(Boolean)
    .join(', ');
}
