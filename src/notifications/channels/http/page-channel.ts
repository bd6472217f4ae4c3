import type { SsrfGuard } from '../../../http/guarded-request.js';
import type { ChannelAdapter } from '../channel-adapter.js';
import type { Outcome, OutgoingMessage, SendToTarget } from '../channel.js';
import type { ChannelName } from '../registry.js';
import { postGuarded } from './post.js';
import { WebhookChannel } from './webhook-channel.js';

const notConfigured: Outcome = { kind: 'refused', response: 'The channel is no longer configured.' };

/** Opens a channel to the targets of pages. They are chosen by customers, hence the guard. */
export const openPageChannel = (
  { name, send }: { name: ChannelName; send: SendToTarget },
  guard: SsrfGuard,
): ChannelAdapter =>
  new WebhookChannel(
    name,
    async message => {
      const { target } = message.recipient;
      if (!target?.url) return notConfigured;
      return send(message, target, (url, value, headers) => postGuarded(url, value, guard, headers));
    },
    listSecrets,
  );

/** The webhook URL of a message, or its server and token, with their parts. */
function listSecrets({ recipient: { target } }: OutgoingMessage): string[] {
  if (!target) return [];
  const { url, token, webhook, push } = target;
  return [
    url,
    ...listUrlSecrets(url),
    ...(token ? [token] : []),
    ...(webhook?.secrets ?? []),
    ...(push ? [push.keys.auth] : []),
  ];
}

/** Shorter parts of a URL are not secrets, but names such as `services`. */
const minSecretLength = 8;

/** The secret of a webhook is its path; providers repeat it without the host, or only its last segment. */
function listUrlSecrets(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { pathname, search, searchParams } = new URL(value);
  const parts = [...pathname.split('/'), ...searchParams.values()].filter(({ length }) => length >= minSecretLength);
  return pathname.length > 1 ? [pathname + search, pathname, ...parts] : parts;
}
