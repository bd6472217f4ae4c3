import type { Outcome, OutgoingMessage } from './channel.js';

/** The secrets of a message to a channel of the page: its webhook URL, or its account and token, with their parts. */
export const redactions = ({ recipient: { target } }: OutgoingMessage): string[] =>
  Object.values(target ?? {}).flatMap(value => [value, ...listUrlSecrets(value)]);

/** Shorter parts of a URL are no secrets, but names such as `services`. */
const minSecretLength = 8;

/** The secret of a webhook is its path; providers repeat it without the host, or only its last segment. */
function listUrlSecrets(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { pathname, search, searchParams } = new URL(value);
  const parts = [...pathname.split('/'), ...searchParams.values()].filter(({ length }) => length >= minSecretLength);
  return pathname.length > 1 ? [pathname + search, pathname, ...parts] : parts;
}

export const notConfigured: Outcome = { kind: 'refused', response: 'The channel is no longer configured.' };
