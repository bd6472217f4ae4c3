import { renderMastodonStatus } from '../messages/mastodon.js';
import type { Outgoing } from './channel.js';
import { OneByOne } from './http/webhook-channel.js';
import { outcomeOf } from './http/outcome.js';
import { type Answer, type Guard, post } from './http/post-json.js';
import { notConfigured, secretsOf } from './page-channel-settings.js';

/** Mastodon. The first status of a notice begins a thread, and all others answer it. */
export const social = (guard: Guard) =>
  new OneByOne(
    'social',
    async message => {
      if (!message.recipient.target?.url) return notConfigured;
      const { thread } = message.recipient;
      let answer = await publish(message, thread, guard);
      // Somebody took the first status away: what follows begins anew.
      const isAnew = thread !== null && answer.status === 404;
      if (isAnew) answer = await publish(message, null, guard);
      const outcome = outcomeOf(answer, secretsOf(message));
      const id = outcome.kind === 'sent' ? idOf(answer.body) : null;
      return id ? { kind: 'sent', answer: `${answer.status} ${id}`, thread: isAnew ? id : (thread ?? id) } : outcome;
    },
    secretsOf,
  );

function publish(
  { messageId, snapshot, recipient: { target } }: Outgoing,
  thread: string | null,
  guard: Guard,
): Promise<Answer> {
  const { url = '', token = '' } = target ?? {};
  // A test is of no notice, and for nobody but whoever sends it.
  const visibility = snapshot.notice.token ? 'public' : 'direct';
  const status = {
    status: renderMastodonStatus(snapshot),
    visibility,
    language: snapshot.page.locale.slice(0, 2),
    ...(thread && { in_reply_to_id: thread }),
  };
  return post(
    {
      url: `${url.replace(/\/+$/, '')}/api/v1/statuses`,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        // The same at every attempt of a delivery, and of no other delivery of any service: what was posted already is not posted again.
        'idempotency-key': messageId.replace(/[<>]/g, ''),
      },
      body: JSON.stringify(status),
    },
    guard,
  );
}

/** It is kept and sent again: what is no word is none, whatever the other side made it of. */
function idOf(body: string): string | null {
  try {
    const { id } = JSON.parse(body) as { id?: unknown };
    return typeof id === 'string' && /^[\x21-\x7e]{1,100}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}
