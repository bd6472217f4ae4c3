import { useState } from 'react';
import { AppearanceDocument, type UpdateBrandInput } from '../api/documents.ts';
import { useRead } from '../api/hooks.ts';
import { RequestError } from '../api/transport.ts';
import { ScreenHeader, Section } from '../layout/screen.tsx';
import { useVersionedForm } from '../layout/use-versioned-form.ts';
import { ColourForm } from './colour-form.tsx';
import { Images } from './images.tsx';
import { AppearancePreview } from './preview.tsx';
import { Theme } from './theme.tsx';
import styles from './appearance.module.css';

/** How the page looks, with the page beside it. */
export default function Appearance({ pageId }: { pageId: string }) {
  const { page } = useRead(AppearanceDocument, { pageId });
  if (!page) throw new RequestError('The page does not exist, or was deleted.', 'NOT_FOUND');
  const form = useVersionedForm<UpdateBrandInput & Record<string, unknown>>(`colours ${pageId}`, page.brand);
  const [zip, setZip] = useState<string | null>(null);
  return (
    <>
      <ScreenHeader title="Appearance" above={page.name} />
      <div className={styles.screen}>
        <Section title="Colours">
          <ColourForm pageId={pageId} brand={page.brand} form={form} />
        </Section>
        <div className={styles.preview}>
          <AppearancePreview pageId={pageId} brand={form.input} zip={zip} />
        </div>
        <Section title="Images">
          <Images pageId={pageId} brand={page.brand} />
        </Section>
        <Section title="Theme">
          <Theme pageId={pageId} theme={page.theme} zip={zip} onChoose={setZip} />
        </Section>
      </div>
    </>
  );
}
