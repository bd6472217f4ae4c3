import type { PublicUrl } from '../../core/config.js';
import type { RunRead } from '../../db/prepared-statements.js';
import { frontPage } from '../html/front-page.js';
import { loadSnapshot } from '../view/load-snapshot.js';
import { getMount } from '../view/mount.js';
import { buildView } from '../view/view.js';

/**
 * Returns a function that renders the front page of a page in the standard theme, from what `read` sees, such as
 * changes that are not committed yet.
 */
export function createPreviewRenderer(publicUrl: PublicUrl): (read: RunRead, pageId: string) => Promise<string> {
  return async (read, pageId) => {
    const snapshot = await loadSnapshot({ read }, pageId);
    if (!snapshot) return '';
    const { page, readAt } = snapshot;
    const view = buildView(snapshot, {
      now: new Date(readAt),
      locale: page.locale,
      mount: getMount(page, 'host', publicUrl),
      staleSince: null,
    });
    const response = await frontPage.render(view, { path: {}, query: {} });
    return String(response!.body);
  };
}
