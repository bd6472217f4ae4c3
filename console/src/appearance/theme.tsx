import { type AppearanceQuery, DeleteThemeDocument, SetThemeDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { formatTime } from '../api/times.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Field, FormError } from '../ui/field.tsx';
import { toFieldErrors } from '../ui/field-errors.ts';
import { readBase64 } from '../ui/read-base64.ts';
import styles from './appearance.module.css';

type StoredTheme = NonNullable<AppearanceQuery['page']>['theme'];

/** A GraphQL request has 1 MB, and the ZIP is a base64 text in it. */
const maximumBytes = 750_000;

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
  const errors = toFieldErrors(write.data?.result?.userErrors ?? []);
  const isTooLarge = zip !== null && zip.length * 0.75 > maximumBytes;
  const choose = async (file: File | undefined) => {
    write.reset();
    onChoose(file ? await readBase64(file) : null);
  };
  const upload = async () => {
    const { result } = await write.mutateAsync({ pageId, zip: zip! });
    if (!result?.userErrors.length) onChoose(null);
  };
  const tooLarge = 'A theme of more than 750 kB has to be uploaded by PUT /v1/pages/:id/theme.';
  return (
    <div className={styles.form}>
      <p className={styles.hint}>
        {theme
          ? `The page has a theme, uploaded ${formatTime(theme.updatedAt)}.`
          : 'The page has the standard theme. A ZIP of Liquid templates replaces its HTML.'}
      </p>
      {theme?.failingSince && (
        <FormError>
          The theme fails since {formatTime(theme.failingSince)}, and the page has the standard theme: {theme.failure}
        </FormError>
      )}
      <Field label="Theme" hint="The preview shows it before you use it." error={isTooLarge ? tooLarge : errors.zip}>
        {attributes => (
          <input
            {...attributes}
            type="file"
            accept=".zip,application/zip"
            onChange={event => void choose(event.target.files?.[0])}
          />
        )}
      </Field>
      <FormError>{write.error?.message ?? remove.error?.message ?? errors['']}</FormError>
      <div className={styles.buttons}>
        {zip !== null && (
          <Button look="primary" disabled={isTooLarge || write.isPending} onClick={() => void upload().catch(() => {})}>
            {write.isPending ? 'Trying it …' : 'Use this theme'}
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
