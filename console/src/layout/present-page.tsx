import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { type SessionPage, useSession } from '../api/session.ts';

interface Present {
  page: SessionPage | undefined;
  choose(pageId: string): void;
}

const PresentPageContext = createContext<Present | null>(null);

/** The page that the menu is about: that of the address, of the form, or else the last one of these. */
export function PresentPage({ children }: { children: ReactNode }) {
  const { pages } = useSession();
  const [location] = useLocation();
  const [chosen, choose] = useState<string>();
  const ofAddress = /^\/pages\/([0-9a-f]{8})/.exec(location)?.[1];
  useEffect(() => {
    if (ofAddress) choose(ofAddress);
  }, [ofAddress]);
  const find = (id: string | undefined) => pages.find(page => page.id === id);
  const page = find(ofAddress) ?? find(chosen) ?? pages[0];
  return <PresentPageContext value={{ page, choose }}>{children}</PresentPageContext>;
}

export const usePresentPage = (): SessionPage | undefined => use(PresentPageContext)!.page;

/** For a form in which one chooses the page: the menu follows it. */
export function useFollowPage(pageId: string): void {
  const { choose } = use(PresentPageContext)!;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is another one at each render
  useEffect(() => choose(pageId), [pageId]);
}
