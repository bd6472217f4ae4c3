import type { PublicUrl } from '../../core/config.js';
import { frontPage } from '../html/front-page.js';
import { completeRendering } from '../routing/public-route.js';
import { buildView } from '../view/build-view.js';
import { getMount, type MountType } from '../view/mount.js';
import type { PageSnapshot } from '../view/snapshot.js';
import type { PageView } from '../view/view.js';

/** The view of a page at the moment when its snapshot was read, in the language of the page. */
export const buildSnapshotView = (snapshot: PageSnapshot, mountType: MountType, publicUrl: PublicUrl): PageView =>
  buildView(snapshot, {
    now: new Date(snapshot.readAt),
    locale: snapshot.page.locale,
    mount: getMount(snapshot.page, mountType, publicUrl),
    staleSince: null,
  });

/** The standard front page as a document. */
export async function renderFrontPage(view: PageView): Promise<string> {
  const response = await completeRendering(frontPage.render(view, { path: {}, query: {} }));
  return String(response!.body);
}
