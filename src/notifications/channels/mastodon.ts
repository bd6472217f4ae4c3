import { renderMastodonStatus } from '../messages/mastodon.js';
import type { OutgoingMessage } from './channel.js';
import { WebhookChannel } from './http/webhook-channel.js';
import { toOutcome } from './http/outcome.js';
import { type HttpResponse, postJson, type SsrfGuard } from './http/post.js';
import { notConfigured, redactions } from './page-channel-settings.js';

/** Mastodon. The first status of a notice starts a thread, and all others reply to it. */
export const createMastodonChannel = (guard: SsrfGuard) =>
  new WebhookChannel(
    'social',
    async message => {
      if (!message.recipient.target?.url) return notConfigured;
      const { thread } = message.recipient;
      let response = await postStatus(message, thread, guard);
      // The first status was deleted: start a new thread.
      const isThreadGone = thread !== null && response.status === 404;
      if (isThreadGone) response = await postStatus(message, null, guard);
      const outcome = toOutcome(response, redactions(message));
      const id = outcome.kind === 'sent' ? parseStatusId(response.body) : null;
      if (!id) return outcome;
      return { kind: 'sent', response: `${response.status} ${id}`, thread: isThreadGone ? id : (thread ?? id) };
    },
    redactions,
  );

function postStatus(
  { messageId, snapshot, recipient: { target } }: OutgoingMessage,
  thread: string | null,
  guard: SsrfGuard,
): Promise<HttpResponse> {
  const { url = '', token = '' } = target ?? {};
  const status = {
    status: renderMastodonStatus(snapshot),
    // A test message belongs to no notice, and is visible only to the account itself.
    visibility: snapshot.notice.token ? 'public' : 'direct',
    language: snapshot.page.locale.slice(0, 2),
    ...(thread && { in_reply_to_id: thread }),
  };
  return postJson(`${url.replace(/\/+$/, '')}/api/v1/statuses`, status, guard, {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    // The same at every attempt of a delivery and unique among services, so that no retry posts the status twice.
    'idempotency-key': messageId.replace(/[<>]/g, ''),
  });
}

/** The id is stored and sent back: null unless it is a plain text of reasonable length. */
function parseStatusId(body: string): string | null {
  try {
    const { id } = JSON.parse(body) as { id?: unknown };
    return typeof id === 'string' && /^[\x21-\x7e]{1,100}$/.test(id) ? id : null;
  } catch {
    return null;
  }
}
