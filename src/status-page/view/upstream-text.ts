import type { Translator } from '../../i18n/translator.js';
import type { ComponentView } from './view.js';

/** Says that an upstream reports the state of a component, or that the upstream does not answer. */
export const describeUpstream = (
  { host, state }: NonNullable<ComponentView['upstream']>,
  { t }: Pick<Translator, 't'>,
): string => t(state === 'unknown' ? 'components.noWord' : 'components.accordingTo', { source: host });
