import type { Outcome, Outgoing } from './channel.js';

/** What a page's channel needs to be reached: an address, and for Mastodon a token. */
export const secretsOf = ({ recipient: { target } }: Outgoing): string[] =>
  Object.values(target ?? {}).flatMap(value => [value, ...pathOf(value)]);

/** Shorter parts are words that every address has. */
const secretFrom = 8;

/** The secret of a webhook is its path: other sides write it without the host, or the last of its parts. */
function pathOf(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { pathname, search, searchParams } = new URL(value);
  const parts = [...pathname.split('/'), ...searchParams.values()].filter(({ length }) => length >= secretFrom);
  return pathname.length > 1 ? [pathname + search, pathname, ...parts] : parts;
}

export const notConfigured: Outcome = { kind: 'refused', answer: 'The channel is no longer configured.' };
