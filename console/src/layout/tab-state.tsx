import { createContext, use, useEffect } from 'react';
import { toFavicon } from '../ui/state-icon.tsx';
import { wordOf } from '../ui/state-label.tsx';

/** The worst state of the pages; null while it is not known. */
export const WorstStateContext = createContext<string | null>(null);

/** The title of the document: the worst state first, as in the title of a public page. */
export function useDocumentTitle(title: string): void {
  const worst = use(WorstStateContext);
  useEffect(() => {
    const isShown = worst !== null && worst !== 'OPERATIONAL';
    const mark = worst === 'MAINTENANCE' ? '' : '(!) ';
    document.title = `${isShown ? `${mark}${wordOf(worst)} – ` : ''}${title} · All Clear`;
  }, [title, worst]);
}

/** The icon of the tab: that of the public page in this state. */
export function useTabIcon(worst: string | null): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')!;
    link.href = toFavicon(worst);
  }, [worst]);
}
