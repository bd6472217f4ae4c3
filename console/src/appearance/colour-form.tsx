import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import {
  AppearanceDocument,
  type AppearanceQuery,
  SaveColoursDocument,
  type UpdateBrandInput,
} from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { request, RequestError } from '../api/transport.ts';
import { StaleSave } from '../layout/stale-save.tsx';
import type { useVersionedForm } from '../layout/use-versioned-form.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { ColourField } from './colour-field.tsx';
import { type ColourName, type ColourSetting, colourGroups, colourLabels, colourNames } from './colours.ts';
import styles from './appearance.module.css';

export type Brand = NonNullable<AppearanceQuery['page']>['brand'];

interface Props {
  pageId: string;
  brand: Brand;
  form: ReturnType<typeof useVersionedForm<UpdateBrandInput & Record<string, unknown>>>;
}

export function ColourForm({ pageId, brand, form }: Props) {
  const client = useQueryClient();
  const save = useWrite(SaveColoursDocument);
  const { errors, others } = toFormErrors(save.data?.result?.userErrors, colourNames);
  const isStale = save.error instanceof RequestError && save.error.code === 'PRECONDITION_FAILED';
  const read = (name: ColourName) => form.read(name) as string;
  const write = async (version: number) => {
    const { result } = await save.mutateAsync({ pageId, ifVersion: version, input: form.input });
    return !result?.userErrors.length;
  };
  const readNewest = async () => {
    const { page } = await request(AppearanceDocument, { pageId });
    await client.invalidateQueries();
    return page!.brand;
  };
  const onSave = () => void form.save(write, readNewest).catch(() => {});
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  const toField = ({ name, label, on, minimum }: ColourSetting) => (
    <ColourField
      key={name}
      label={label}
      value={read(name)}
      error={errors[name]}
      against={on && { background: on === 'white' ? '#ffffff' : read(on), minimum: minimum! }}
      onChange={value => form.change(name, value)}
    />
  );
  return (
    <form className={styles.form} onSubmit={onSubmit} onKeyDown={submitOnShortcut}>
      <p className={styles.hint}>
        Contrast is measured as in WCAG 2. The page adjusts a colour whose contrast is too low.
      </p>
      {colourGroups.map(({ title, colours, more }) => (
        <fieldset key={title} className={styles.group}>
          <legend>{title}</legend>
          {colours.map(toField)}
          {more && (
            <details className={styles.more} open={more.some(({ name }) => errors[name]) || undefined}>
              <summary>The bar at the top of the header</summary>
              {more.map(toField)}
            </details>
          )}
        </fieldset>
      ))}
      {form.stale.length > 0 && (
        <StaleSave
          differences={form.stale.map(name => ({
            label: colourLabels[name]!,
            mine: read(name as ColourName),
            theirs: brand[name as keyof Brand] as string,
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
              Save the colours
            </Button>
            <Button onClick={form.discard}>Discard the changes</Button>
          </>
        )}
        {!form.count && save.isSuccess && <p role="status">Saved</p>}
      </div>
    </form>
  );
}
