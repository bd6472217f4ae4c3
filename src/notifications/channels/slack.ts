import { renderSlackMessage } from '../messages/slack.js';
import { WebhookChannel } from './http/webhook-channel.js';
import { toOutcome } from './http/outcome.js';
import { postJson, type SsrfGuard } from './http/post.js';
import { notConfigured, redactions } from './page-channel-settings.js';

/** Slack, by an incoming webhook. It responds with "ok", or with the name of an error. */
export const createSlackChannel = (guard: SsrfGuard) =>
  new WebhookChannel(
    'chatA',
    async message => {
      const url = message.recipient.target?.url;
      if (!url) return notConfigured;
      return toOutcome(await postJson(url, renderSlackMessage(message.snapshot), guard), redactions(message));
    },
    redactions,
  );
