import type { ComponentState } from '../../components/component.states.js';
import type { PublicUrl } from '../../core/config.js';
import type { RunRead } from '../../db/prepared-statements.js';
import { frontPage } from '../html/front-page.js';
import { loadSnapshot } from '../view/load-snapshot.js';
import { getMount } from '../view/mount.js';
import { buildView } from '../view/build-view.js';
import { completeRendering } from '../routing/public-route.js';

/**
 * Returns a function that renders the front page of a page in the standard theme, from what `read` sees, such as
 * changes that are not stored, and with these component states in place of the stored ones.
 */
export function createPreviewRenderer(
  publicUrl: PublicUrl,
): (read: RunRead, pageId: string, states: ReadonlyMap<number, ComponentState>) => Promise<string> {
  return async (read, pageId, states) => {
    const snapshot = await loadSnapshot({ read }, pageId);
    if (!snapshot) return '';
    const { page, readAt } = snapshot;
    const components = snapshot.components.map(component => ({
      ...component,
      state: states.get(component.id) ?? component.state,
    }));
    const view = buildView(
      // A preview does not follow the page.
      { ...snapshot, components, changeCount: undefined },
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
}
