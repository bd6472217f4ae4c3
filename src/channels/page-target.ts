import type { Outcome, Outgoing } from '../publishing/channel.js';

/** What a page's channel needs to be reached: an address, and for Mastodon a token. */
export const secretsOf = ({ recipient: { target } }: Outgoing): string[] => Object.values(target ?? {}).flatMap(value => [value, ...pathOf(value)]);

/** The secret of a webhook is its path: other sides write it without the host. */
function pathOf(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { pathname, search } = new URL(value);
  return pathname.length > 1 ? [pathname + search, pathname] : [];
}

export const notConfigured: Outcome = { kind: 'refused', answer: 'The channel is no longer configured.' };
