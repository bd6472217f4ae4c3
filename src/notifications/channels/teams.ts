import { renderTeamsMessage } from '../messages/teams.js';
import { WebhookChannel } from './http/webhook-channel.js';
import { toOutcome } from './http/outcome.js';
import { type HttpResponse, postJson, type SsrfGuard } from './http/post.js';
import { notConfigured, redactions } from './page-channel-settings.js';

/** Microsoft Teams, by the webhook of a workflow. */
export const createTeamsChannel = (guard: SsrfGuard) =>
  new WebhookChannel(
    'chatB',
    async message => {
      const url = message.recipient.target?.url;
      if (!url) return notConfigured;
      const response = await postJson(url, renderTeamsMessage(message.snapshot), guard);
      return toOutcome(withRealStatus(response), redactions(message));
    },
    redactions,
  );

/** Old connectors respond with 200, and with the real status in the text. */
function withRealStatus(response: HttpResponse): HttpResponse {
  const [, status] = /returned HTTP error (\d{3})/.exec(response.body) ?? [];
  return response.status === 200 && status ? { ...response, status: Number(status) } : response;
}
