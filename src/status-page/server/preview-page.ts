import type { PublicUrl } from '../../core/config.js';
import type { RunRead } from '../../db/prepared-statements.js';
import { frontPage } from '../html/front-page.js';
import { loadSnapshot } from '../view/load-snapshot.js';
import { getMount } from '../view/mount.js';
import { buildView } from '../view/build-view.js';
import { completeRendering } from '../routing/public-route.js';

/** Reads a page in the transaction of `read`; what it returns renders the front page after the transaction. */
export const createPreviewLoader =
  (publicUrl: PublicUrl) =>
  async (read: RunRead, pageId: string): Promise<() => Promise<string>> => {
    const snapshot = await loadSnapshot({ read }, pageId);
    return async () => {
      if (!snapshot) return '';
      const { page, readAt } = snapshot;
      const view = buildView(
        // A preview does not follow the page.
        { ...snapshot, changeCount: undefined },
        {
          now: new Date(readAt),
          locale: page.locale,
          mount: getMount(page, 'host', publicUrl),
          staleSince: null,
        },
      );
      const response = await completeRendering(frontPage.render(view, { path: {}, query: {} }));
      return String(response!.body);
    };
  };
