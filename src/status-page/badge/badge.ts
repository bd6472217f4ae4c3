import { textsOf } from '../../i18n/translator.js';
import { askedComponent } from '../view/urls.js';
import { bannerText } from '../view/banner-text.js';
import type { Face } from '../server/public-route.js';
import { standingsOf } from '../html/status-icons.js';
import { paletteOf } from '../html/palette.js';
import { flatBadge, signBadge, type Look, wordBadge } from './badge-styles.js';

const styles = { flat: flatBadge, dot: signBadge, text: wordBadge };

/** How a page or one of its components is, small enough for a README. An unknown style or theme is a 404, so that nobody fills the memory with them. */
export const badge: Face = {
  path: 'badge.svg',
  query: ['component', 'lang', 'style', 'theme'],
  draw: (view, asked) => {
    const { style = 'flat', theme = 'light' } = asked.query;
    const component = askedComponent(view, asked);
    if (component === null || !Object.hasOwn(styles, style) || (theme !== 'light' && theme !== 'dark')) return null;
    const texts = textsOf(view.locale);
    const standing = component ? (standingsOf(view).get(component.id) ?? 'operational') : view.banner.kind;
    const name = shortened(component?.name ?? view.page.name);
    const state = texts.t(`state.${standing}`);
    const title = texts.t('badge.title', { name, state });
    const look: Look = {
      standing,
      name,
      state,
      title,
      sentence: component ? title : shortened(bannerText(view.banner, texts)),
      direction: texts.direction,
      palette: paletteOf(view, theme),
    };
    return { type: 'image/svg+xml; charset=utf-8', body: styles[style as keyof typeof styles](look).text };
  },
};

const lettersAtMost = 60;

/** What is no letter to the eye is a blank, or marks that turn the direction of what follows; neither belongs in a line as short as this. */
function shortened(text: string): string {
  const line = text
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const letters = [...new Intl.Segmenter().segment(line)].map(({ segment }) => segment);
  return letters.length > lettersAtMost ? `${letters.slice(0, lettersAtMost - 1).join('')}…` : line;
}
