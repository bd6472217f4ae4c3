import type { Texts } from '../../i18n/translator.js';
import type { Banner } from './banner.js';

/** The banner in words: one sentence, the same on the page, on the badge, in feeds and for programs. */
export function bannerText({ kind, extent, component }: Banner, { t }: Texts): string {
  if (kind === 'operational') return t('banner.operational');
  switch (extent) {
    case 'one':
      return t(`banner.${kind}.one`, { component: component!.name });
    case 'all':
      return t(`banner.${kind}.all`);
    case 'unnamed':
      return t(`banner.${kind}.unnamed`);
    default:
      return t(`banner.${kind}.some`);
  }
}
