import { type FormEvent, useState } from 'react';
import { PageSettingsDocument, SaveSettingsDocument, type UpdatePageInput } from '../api/documents.ts';
import { useRead, useWrite } from '../api/hooks.ts';
import { RequestError } from '../api/transport.ts';
import { DemoData } from '../first-run/demo-data.tsx';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { groups } from './fields.ts';
import { SettingField } from './setting-field.tsx';
import styles from '../ui/list.module.css';

/** What has been changed on the screen is written, and nothing else: others may change other settings meanwhile. */
export default function Settings({ pageId }: { pageId: string }) {
  const { page } = useRead(PageSettingsDocument, { id: pageId });
  const [changes, setChanges] = useState<UpdatePageInput>({});
  const write = useWrite(SaveSettingsDocument);
  if (!page) throw new RequestError('The page does not exist, or was deleted.', 'NOT_FOUND');
  const errors = toFieldErrors(write.data?.result?.userErrors ?? []);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { result } = await write.mutateAsync({ id: pageId, input: changes });
    if (!result?.userErrors.length) setChanges({});
  };
  const count = Object.keys(changes).length;
  return (
    <>
      <ScreenHeader title="Page settings" above={page.name} />
      <form onSubmit={event => void onSubmit(event).catch(() => {})} onKeyDown={submitOnShortcut}>
        {groups.map(({ title, fields }) => (
          <Section key={title} title={title}>
            <div className={styles.form}>
              {fields.map(field => (
                <SettingField
                  key={field.name}
                  field={field}
                  error={errors[field.name]}
                  value={
                    changes[field.name] === undefined ? page[field.name as keyof typeof page] : changes[field.name]
                  }
                  onChange={value => setChanges({ ...changes, [field.name]: value })}
                />
              ))}
            </div>
          </Section>
        ))}
        <datalist id="zones">
          {Intl.supportedValuesOf('timeZone').map(zone => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <div className={styles.end}>
          <FormError>{write.error?.message ?? errors['']}</FormError>
          <div className={styles.buttons}>
            <Button type="submit" look="primary" disabled={!count || write.isPending}>
              {count ? 'Save the changes' : 'Saved'}
            </Button>
            {count > 0 && <Button onClick={() => setChanges({})}>Discard them</Button>}
          </div>
        </div>
      </form>
      <Section title="Demonstration data">
        <DemoData pageId={pageId} hasDemoData={page.hasDemoData} />
      </Section>
    </>
  );
}
