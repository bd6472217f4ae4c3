import type { PublicUrl } from '../../core/config.js';
import { getTranslator } from '../../i18n/translator.js';
import type { ReadPublicPage } from '../../pages/public-page.js';
import { bannerText } from '../view/banner-text.js';
import { computeDisplayedStates } from '../html/status-icons.js';
import { getShownUptime } from '../view/uptime.js';
import { loadSnapshot } from '../view/load-snapshot.js';
import { buildSnapshotView } from './snapshot-view.js';

/** Returns a function that reads what the public page shows, from the view that it is rendered from. */
export const createPublicPageReader =
  (publicUrl: PublicUrl): ReadPublicPage =>
  async (read, pageId) => {
    const snapshot = await loadSnapshot({ read }, pageId);
    if (!snapshot) return null;
    const view = buildSnapshotView(snapshot, 'host', publicUrl);
    const { banner, componentsById, locale } = view;
    const states = computeDisplayedStates(view);
    return {
      banner: { status: banner.kind, text: bannerText(banner, getTranslator(locale)) },
      components: new Map(
        [...componentsById.values()].map(component => [
          component.id,
          {
            status: states.get(component.id) ?? 'operational',
            days: component.history,
            uptime: getShownUptime(snapshot.page, component),
          },
        ]),
      ),
    };
  };
