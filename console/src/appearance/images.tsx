import { SetImagesDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { Button } from '../ui/button.tsx';
import { Field, FormError } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { readBase64 } from '../ui/files.ts';
import type { Brand } from './colour-form.tsx';
import styles from './appearance.module.css';

const images = [
  { name: 'logo', url: 'logoUrl', label: 'Logo', hint: 'Shown 36 pixels high. Leave no margin around it.' },
  {
    name: 'logoDark',
    url: 'logoDarkUrl',
    label: 'Logo for dark mode',
    hint: 'Without it, the header stays light in dark mode.',
  },
  {
    name: 'favicon',
    url: 'faviconUrl',
    label: 'Browser tab icon',
    hint: 'Without it, the icon shows the state of the page.',
  },
] as const;
const imageNames = images.map(({ name }) => name);

/** Each image is stored as soon as it is chosen; one that is refused changes nothing. */
export function Images({ pageId, brand }: { pageId: string; brand: Brand }) {
  const write = useWrite(SetImagesDocument);
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, imageNames);
  const set = async (name: string, file: File | undefined) => {
    if (file) await write.mutateAsync({ pageId, input: { [name]: await readBase64(file) } });
  };
  return (
    <div className={styles.form}>
      <p className={styles.hint}>SVG, PNG or WebP, up to 256 kB each.</p>
      {images.map(({ name, url, label, hint }) => (
        <div key={name} className={styles.image}>
          <Field label={label} hint={hint} error={errors[name]}>
            {attributes => (
              <input
                {...attributes}
                type="file"
                accept=".svg,.png,.webp"
                disabled={write.isPending}
                onChange={event => void set(name, event.target.files?.[0]).catch(() => {})}
              />
            )}
          </Field>
          {brand[url] && (
            <div className={styles.present}>
              <img
                src={toOwnOrigin(brand[url], pageId)}
                alt={label}
                className={name === 'logoDark' ? styles.onDark : ''}
              />
              <Button look="quiet" onClick={() => write.mutate({ pageId, input: { [name]: null } })}>
                {`Remove: ${label}`}
              </Button>
            </div>
          )}
        </div>
      ))}
      <FormError>{write.error?.message ?? others}</FormError>
    </div>
  );
}

/** The image at this origin: the console shows nothing from elsewhere, and a page has a host of its own. */
const toOwnOrigin = (url: string, pageId: string): string =>
  `/status/${pageId}${new URL(url, location.href).pathname.replace(`/status/${pageId}`, '')}`;
