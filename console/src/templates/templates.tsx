import { useState } from 'react';
import { TemplateListDocument } from '../api/documents.ts';
import { useRead } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { type Action, ActionButton, useActions } from '../layout/actions.tsx';
import { ScreenHeader } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { EditTemplate, type Template, typeNames } from './edit-template.tsx';
import styles from '../ui/list.module.css';

/** Prepared texts, so that at night somebody only fills in what differs. */
export default function Templates({ pageId }: { pageId: string }) {
  const session = useSession();
  const { noticeTemplates } = useRead(TemplateListDocument, { pageId });
  const [edited, setEdited] = useState<Template | 'new'>();
  const mayWrite = session.has('PUBLISHER', pageId);
  const add: Action = { label: 'Add a template', icon: 'plus', key: 'c', run: () => setEdited('new') };
  useActions(mayWrite ? [add] : []);
  const templates = noticeTemplates?.nodes ?? [];
  return (
    <>
      <ScreenHeader title="Templates" above={session.pages.find(({ id }) => id === pageId)?.name}>
        {mayWrite && <ActionButton action={add} look="primary" />}
      </ScreenHeader>
      {!templates.length && (
        <p className={styles.quiet}>
          There are no templates yet. A template saves a subject, a text and components for the next notice. A
          placeholder such as {'{{region}}'} must be filled in before that is published.
        </p>
      )}
      <ul>
        {templates.map(template => (
          <li key={template.id} className={styles.row}>
            <div className={styles.main}>
              <span>{template.name}</span>
              <small>{template.subject || 'No subject'}</small>
            </div>
            <span>{template.type ? typeNames[template.type] : 'For any notice'}</span>
            {mayWrite && (
              <div className={styles.buttons}>
                <Button look="quiet" aria-label={`Edit ${template.name}`} onClick={() => setEdited(template)}>
                  Edit
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {edited && (
        <EditTemplate
          pageId={pageId}
          template={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
