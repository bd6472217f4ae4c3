import type { Translator } from '../../i18n/translator.js';
import type { ComponentView } from './view.js';

/** Whose word the state of a component is, or that there is none. */
export const describeUpstream = (
  { host, state }: NonNullable<ComponentView['upstream']>,
  { t }: Pick<Translator, 't'>,
): string => t(state === 'unknown' ? 'components.noWord' : 'components.accordingTo', { source: host });
