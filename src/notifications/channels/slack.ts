import { renderSlackMessage } from '../messages/slack.js';
import { OneByOne } from './http/webhook-channel.js';
import { outcomeOf } from './http/outcome.js';
import { type Guard, post } from './http/post-json.js';
import { notConfigured, secretsOf } from './page-channel-settings.js';

/** Slack, by an incoming webhook: it answers "ok", or with a word for what is wrong. */
export const chatA = (guard: Guard) =>
  new OneByOne(
    'chatA',
    async message => {
      const url = message.recipient.target?.url;
      if (!url) return notConfigured;
      const answer = await post(
        {
          url,
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: JSON.stringify(renderSlackMessage(message.snapshot)),
        },
        guard,
      );
      return outcomeOf(answer, secretsOf(message));
    },
    secretsOf,
  );
