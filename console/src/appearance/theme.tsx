import { useState } from 'react';
import { type AppearanceQuery, DeleteThemeDocument, SetThemeDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { formatTime } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Field, FormError } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { readBase64 } from '../ui/files.ts';
import styles from './appearance.module.css';

type StoredTheme = NonNullable<AppearanceQuery['page']>['theme'];

/** That of the service: a larger file is not read. */
const maxBytes = 10 * 1024 * 1024;

interface Props {
  pageId: string;
  theme: StoredTheme;
  /** The chosen file, as base64; null: none. */
  zip: string | null;
  onChoose: (zip: string | null) => void;
}

/** A theme is looked at before the page has it. */
export function Theme({ pageId, theme, zip, onChoose }: Props) {
  const write = useWrite(SetThemeDocument);
  const remove = useWrite(DeleteThemeDocument);
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, ['zip']);
  const [isTooLarge, setTooLarge] = useState(false);
  const choose = async (file: File | undefined) => {
    write.reset();
    const isLarge = file !== undefined && file.size > maxBytes;
    setTooLarge(isLarge);
    onChoose(file && !isLarge ? await readBase64(file) : null);
  };
  const upload = async () => {
    const { result } = await write.mutateAsync({ pageId, zip: zip! });
    if (!result?.userErrors.length) onChoose(null);
  };
  return (
    <div className={styles.form}>
      <p className={styles.hint}>
        {theme
          ? `The page has a theme, uploaded ${formatTime(theme.updatedAt)}.`
          : 'The page uses the standard theme. Upload a ZIP file of Liquid templates to replace its HTML.'}
      </p>
      {theme?.failingSince && (
        <FormError>
          The theme has failed since {formatTime(theme.failingSince)}, and the page uses the standard theme:{' '}
          {theme.failure}
        </FormError>
      )}
      <Field
        label="Theme"
        hint="The preview shows it before you use it."
        error={isTooLarge ? 'A theme has 10 MB at most.' : errors.zip}
      >
        {attributes => (
          <input
            {...attributes}
            type="file"
            accept=".zip,application/zip"
            onChange={event => void choose(event.target.files?.[0])}
          />
        )}
      </Field>
      <FormError>{write.error?.message ?? remove.error?.message ?? others}</FormError>
      <div className={styles.buttons}>
        {zip !== null && (
          <Button look="primary" disabled={write.isPending} onClick={() => void upload().catch(() => {})}>
            {write.isPending ? 'Checking …' : 'Use this theme'}
          </Button>
        )}
        {theme && (
          <ConfirmButton
            label="Delete the theme"
            question="Delete the theme"
            onConfirm={() => remove.mutate({ pageId })}
          />
        )}
      </div>
    </div>
  );
}
