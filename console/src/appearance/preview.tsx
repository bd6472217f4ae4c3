import { useState } from 'react';
import { type PageSituation, PreviewAppearanceDocument, type UpdateBrandInput } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { DocumentFrame } from '../publishing/document-frame.tsx';
import { FormError } from '../ui/field.tsx';
import { useSettled } from '../ui/use-settled.ts';
import styles from '../publishing/publishing.module.css';

const situations: Record<PageSituation, string> = {
  ALL_WELL: 'Operational',
  INCIDENT: 'Incident',
  MAINTENANCE: 'Maintenance',
  FIRST_DAY: 'New page',
};

const pauseMs = 300;

interface Props {
  pageId: string;
  brand: UpdateBrandInput;
  zip: string | null;
}

/** The page as it would look, in the situation that is chosen. */
export function AppearancePreview({ pageId, brand, zip }: Props) {
  const [situation, setSituation] = useState<PageSituation>('ALL_WELL');
  const text = useSettled(JSON.stringify({ brand, ...(zip !== null && { theme: zip }) }), pauseMs);
  const { data, error } = useLazyRead(PreviewAppearanceDocument, {
    pageId,
    input: { situation, ...JSON.parse(text) },
  });
  const preview = data?.previewAppearance;
  return (
    <section className={styles.previews} aria-label="Preview">
      <fieldset className={styles.tabs}>
        <legend>Preview</legend>
        {Object.entries(situations).map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name="situation"
              checked={value === situation}
              onChange={() => setSituation(value as PageSituation)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <FormError>{preview?.failure ?? error?.message.replaceAll('`', '')}</FormError>
      {preview?.html ? <DocumentFrame title="The page" html={preview.html} /> : <p className={styles.empty}>…</p>}
    </section>
  );
}
