/**
 * Progressive enhancement: the button of the footer chooses the light or the dark scheme, in the head, so that no page
 * is painted in the other one before. The choice is stored in the browser, until it is what the system prefers. The
 * script changes the media query of the dark scheme: other rules would double the size of the colours. It is the same
 * on every page: the policy contains its hash.
 */
type Scheme = 'light' | 'dark';

let chosen: Scheme | '' | undefined;
// The storage may be disabled.
try {
  chosen = localStorage.scheme;
} catch {}

const system = matchMedia('(prefers-color-scheme:dark)');
const { media } = [...document.styleSheets[0]!.cssRules].find(
  rule => rule instanceof CSSMediaRule && rule.media.mediaText.includes('scheme'),
) as CSSMediaRule;
const systemQuery = media.mediaText;

const isDark = () => (chosen ? chosen === 'dark' : system.matches);

function apply(): void {
  media.mediaText = chosen ? (isDark() ? 'screen' : 'not all') : systemQuery;
  for (const source of document.querySelectorAll('source')) source.media = isDark() ? 'all' : 'not all';
  const button = document.querySelector<HTMLButtonElement>('.scheme');
  if (!button) return;
  button.hidden = false;
  button.ariaPressed = String(isDark());
}

apply();
document.addEventListener('DOMContentLoaded', apply);
system.onchange = apply;
document.addEventListener('click', ({ target }) => {
  if (!(target as Element).closest('.scheme')) return;
  chosen = isDark() === system.matches ? (isDark() ? 'light' : 'dark') : '';
  try {
    if (chosen) localStorage.scheme = chosen;
    else localStorage.removeItem('scheme');
  } catch {}
  apply();
});

export {};
