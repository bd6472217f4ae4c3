import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { PageSettingsDocument, SaveSettingsDocument, type UpdatePageInput } from '../api/documents.ts';
import { useRead, useWrite } from '../api/hooks.ts';
import { request, RequestError } from '../api/transport.ts';
import { DemoData } from '../first-run/demo-data.tsx';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { StaleSave } from '../layout/stale-save.tsx';
import { useVersionedForm } from '../layout/use-versioned-form.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { DeletePage } from './delete-page.tsx';
import { groups } from './fields.ts';
import { SettingField } from './setting-field.tsx';
import { Visibility } from './visibility.tsx';
import own from './settings.module.css';
import styles from '../ui/list.module.css';

const fields = groups.flatMap(group => group.fields);
const fieldNames = fields.map(({ name }) => name);
/** They are not saved with the form. */
const otherSections = ['Visibility', 'Demonstration data', 'Delete the page'];
const toId = (title: string) => title.toLowerCase().replaceAll(' ', '-');

/** What has been changed on the screen is written, and nothing else: others may change other settings meanwhile. */
export default function Settings({ pageId }: { pageId: string }) {
  const { page } = useRead(PageSettingsDocument, { id: pageId });
  const client = useQueryClient();
  const save = useWrite(SaveSettingsDocument);
  if (!page) throw new RequestError('The page does not exist, or was deleted.', 'NOT_FOUND');
  const form = useVersionedForm<UpdatePageInput & Record<string, unknown>>(`settings ${pageId}`, page);
  const { errors, others } = toFormErrors(save.data?.result?.userErrors, fieldNames);
  const isStale = save.error instanceof RequestError && save.error.code === 'PRECONDITION_FAILED';
  const write = async (version: number) => {
    const { result } = await save.mutateAsync({ id: pageId, ifVersion: version, input: form.input });
    return !result?.userErrors.length;
  };
  const readNewest = async () => {
    const newest = await request(PageSettingsDocument, { id: pageId });
    await client.invalidateQueries();
    return newest.page!;
  };
  const onSave = () => void form.save(write, readNewest).catch(() => {});
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  const toText = (value: unknown) => (value == null ? '' : String(value));
  return (
    <div className={own.screen}>
      <ScreenHeader title="Page settings" above={page.name} />
      <nav aria-label="Sections" className={own.menu}>
        {[...groups.map(({ title }) => title), ...otherSections].map(title => (
          <a key={title} href={`#${toId(title)}`}>
            {title}
          </a>
        ))}
      </nav>
      <form onSubmit={onSubmit} onKeyDown={submitOnShortcut} className={own.sections}>
        {groups.map(({ title, fields: group }) => (
          <Section key={title} id={toId(title)} title={title}>
            <div className={styles.form}>
              {group.map(field => (
                <SettingField
                  key={field.name}
                  field={field}
                  error={errors[field.name]}
                  value={form.read(field.name)}
                  onChange={value => form.change(field.name, value)}
                />
              ))}
            </div>
          </Section>
        ))}
        <div className={`${own.end} ${form.count ? own.changed : ''}`}>
          {form.stale.length > 0 && (
            <StaleSave
              differences={fields
                .filter(({ name }) => form.stale.includes(name))
                .map(({ name, label }) => ({
                  label,
                  mine: toText(form.read(name)),
                  theirs: toText(page[name as keyof typeof page]),
                }))}
              onMine={onSave}
              onTheirs={form.discard}
            />
          )}
          <FormError>{isStale ? null : (save.error?.message ?? others)}</FormError>
          <div className={styles.buttons}>
            {form.count > 0 && (
              <>
                <Button type="submit" look="primary" disabled={save.isPending}>
                  Save the changes
                </Button>
                <Button onClick={form.discard}>Discard the changes</Button>
              </>
            )}
            {!form.count && save.isSuccess && <p role="status">Saved</p>}
          </div>
        </div>
      </form>
      <div className={own.sections}>
        <Section id={toId('Visibility')} title="Visibility">
          <Visibility page={page} />
        </Section>
        <Section id={toId('Demonstration data')} title="Demonstration data">
          <DemoData pageId={pageId} hasDemoData={page.hasDemoData} />
        </Section>
        <Section id={toId('Delete the page')} title="Delete the page">
          <DeletePage pageId={pageId} name={page.name} />
        </Section>
      </div>
    </div>
  );
}
