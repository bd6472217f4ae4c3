import { getTranslator } from '../../i18n/translator.js';
import { findRequestedComponent } from '../view/urls.js';
import { isUnknown } from '../view/banner.js';
import type { PageView } from '../view/view.js';
import { bannerText } from '../view/banner-text.js';
import type { PublicRoute } from '../routing/public-route.js';
import { computeDisplayedStates } from '../html/status-icons.js';
import { createPalette } from '../html/style/palette.js';
import { flatBadge, dotBadge, type BadgeContent, textBadge } from './badge-styles.js';

const styles = { flat: flatBadge, dot: dotBadge, text: textBadge };

/** While nothing is known to be wrong, but something is not known. */
const isAnyUnknown = ({ banner, componentsById }: PageView): boolean =>
  banner.kind === 'operational' && [...componentsById.values()].some(isUnknown);

/**
 * The state of a page or of one component as a small SVG image, for example for a README.
 * An unknown style or theme is a 404, so that made-up values cannot fill the cache.
 */
export const badge: PublicRoute = {
  path: 'badge.svg',
  query: ['component', 'lang', 'style', 'theme'],
  render: (view, parameters) => {
    const { style = 'flat', theme = 'light' } = parameters.query;
    const component = findRequestedComponent(view, parameters);
    if (component === null || !Object.hasOwn(styles, style) || (theme !== 'light' && theme !== 'dark')) return null;
    const translator = getTranslator(view.locale);
    const displayedState = component
      ? (computeDisplayedStates(view).get(component.id) ?? 'operational')
      : isAnyUnknown(view)
        ? 'unknown'
        : view.banner.kind;
    const name = shorten(component?.name ?? view.page.name);
    const stateLabel = translator.t(`state.${displayedState}`);
    const title = translator.t('badge.title', { name, state: stateLabel });
    const content: BadgeContent = {
      displayedState,
      name,
      stateLabel,
      title,
      sentence: component ? title : shorten(bannerText(view.banner, translator)),
      direction: translator.direction,
      palette: createPalette(view, theme),
    };
    return { type: 'image/svg+xml; charset=utf-8', body: styles[style as keyof typeof styles](content).text };
  },
};

const maxGraphemes = 60;

/** Removes bidirectional control characters, collapses white space, and truncates the text. */
function shorten(text: string): string {
  const line = text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const graphemes = [...new Intl.Segmenter().segment(line)].map(({ segment }) => segment);
  return graphemes.length > maxGraphemes ? `${graphemes.slice(0, maxGraphemes - 1).join('')}…` : line;
}
