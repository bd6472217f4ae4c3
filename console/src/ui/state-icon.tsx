import { stateStyles, type Tone } from '../../../src/pages/branding/state-styles.ts';
import { iconPaths } from '../../../src/pages/branding/icon-paths.ts';
import styles from './state-label.module.css';

export type StateIconName = keyof typeof iconPaths;

/** A state as GraphQL names it, as the public page names it. */
export const toPublicState = (state: string) =>
  (state === 'PARTLY_AFFECTED'
    ? 'partially-degraded'
    : state.toLowerCase().replaceAll('_', '-')) as keyof typeof stateStyles;

/** The icon of the public page, in its colour. Hidden from screen readers: a word stands beside every icon. */
export const StateIcon = ({ name, tone, size = 16 }: { name: StateIconName; tone: Tone; size?: number }) => (
  <svg className={`${styles.icon} ${styles[tone]}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    <path fillRule="evenodd" d={iconPaths[name]} />
  </svg>
);

/** The same of the state of a component or of a page. */
export function PublicStateIcon({ state, size }: { state: string; size?: number }) {
  const { tone, icon } = stateStyles[toPublicState(state)];
  return <StateIcon name={icon} tone={tone} size={size} />;
}

/** The favicon of a page in this state. Without a state: the sign of the console. */
export function toFavicon(state: string | null): string {
  const { tone, icon } = stateStyles[toPublicState(state ?? 'OPERATIONAL')];
  const colour = getComputedStyle(document.documentElement).getPropertyValue(`--${tone === 'part' ? 'warn' : tone}`);
  const path = `<path fill="${colour.trim()}" fill-rule="evenodd" d="${iconPaths[icon]}"/>`;
  const circle = '<circle cx="8" cy="9" r="5" fill="#fff"/>';
  const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${circle}${path}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(image)}`;
}

/** States of pages and components, worst first. */
const severities = Object.keys(stateStyles).toReversed();
export const compareStates = (one: string, other: string): number =>
  severities.indexOf(toPublicState(one)) - severities.indexOf(toPublicState(other));
