import type { PublicUrl } from '../../core/config.js';
import type { RunRead } from '../../db/prepared-statements.js';
import { loadSnapshot } from '../view/load-snapshot.js';
import { buildSnapshotView, renderFrontPage } from './snapshot-view.js';

/** Reads a page in the transaction of `read`; what it returns renders the front page after the transaction. */
export const createPreviewLoader =
  (publicUrl: PublicUrl) =>
  async (read: RunRead, pageId: string): Promise<() => Promise<string>> => {
    const snapshot = await loadSnapshot({ read }, pageId);
    if (!snapshot) return async () => '';
    // A preview does not follow the page.
    return () => renderFrontPage(buildSnapshotView({ ...snapshot, changeCount: undefined }, 'host', publicUrl));
  };
