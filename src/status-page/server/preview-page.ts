import type { RunRead } from '../../db/prepared-statements.js';
import { frontPage } from '../html/front-page.js';
import { readPage } from '../view/load-snapshot.js';
import { Site } from './page-revision.js';
import { Dresser } from '../themes/theme-service.js';

/** The page as somebody sees it who reads through `read`, before anybody else does: in the standard look. */
export async function previewPage(read: RunRead, pageId: string): Promise<string> {
  const snapshot = await readPage({ read }, pageId);
  if (!snapshot) return '';
  const view = new Site(snapshot, Date.parse(snapshot.readAt) - Date.now(), null, new Dresser(() => null, null)).view(
    'host',
    null,
  );
  const drawing = await frontPage.draw(view, { path: {}, query: {} });
  return String(drawing!.body);
}
