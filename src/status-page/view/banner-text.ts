import type { Translator } from '../../i18n/translator.js';
import type { Banner } from './view.js';

type Sentence = Pick<Banner, 'kind' | 'extent' | 'component'>;

/** The banner as one sentence, used by the page, the badge, the plain-text formats and the aggregator API. */
export function bannerText({ kind, extent, component }: Sentence, { t }: Translator): string {
  // Nothing is known to work on a page without components.
  if (kind === 'operational') return t(extent === 'all' ? 'banner.operational' : 'past.quietDay');
  switch (extent) {
    case 'one':
      return t(`banner.${kind}.one`, { component: component!.name });
    case 'all':
      return t(`banner.${kind}.all`);
    case 'unnamed':
      return t(kind === 'maintenance' ? 'banner.maintenance.unnamed' : 'banner.degraded.unnamed');
    default:
      return t(`banner.${kind}.some`);
  }
}
