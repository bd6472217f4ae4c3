import { renderTeamsMessage } from '../messages/teams.js';
import { OneByOne } from './http/webhook-channel.js';
import { outcomeOf } from './http/outcome.js';
import { type Answer, type Guard, post } from './http/post-json.js';
import { notConfigured, secretsOf } from './page-channel-settings.js';

/** Microsoft Teams, by the webhook of a workflow. */
export const chatB = (guard: Guard) =>
  new OneByOne(
    'chatB',
    async message => {
      const url = message.recipient.target?.url;
      if (!url) return notConfigured;
      const answer = await post(
        {
          url,
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: JSON.stringify(renderTeamsMessage(message.snapshot)),
        },
        guard,
      );
      return outcomeOf(honest(answer), secretsOf(message));
    },
    secretsOf,
  );

/** The connectors of old say 200, and in the text what it was. */
function honest(answer: Answer): Answer {
  const [, status] = /returned HTTP error (\d{3})/.exec(answer.body) ?? [];
  return answer.status === 200 && status ? { ...answer, status: Number(status) } : answer;
}
