import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { isObject, type JsonObject } from './format.js';
import { bearer } from './signature.js';

export const sns = {
  label: 'Amazon SNS',
  description: 'What Amazon SNS sends about the subscription itself.',
  ...bearer,
};

const types = ['SubscriptionConfirmation', 'Notification', 'UnsubscribeConfirmation'] as const;
type SnsType = (typeof types)[number];

/** Undefined: the body is not a message of SNS. */
export const findSnsType = (body: JsonObject): SnsType | undefined =>
  typeof body.TopicArn === 'string' && typeof body.MessageId === 'string'
    ? types.find(type => type === body.Type)
    : undefined;

/** The JSON in a message of SNS; the message itself where it has a text. */
export function unwrapSnsMessage(body: JsonObject): JsonObject {
  try {
    const content: unknown = JSON.parse(String(body.Message));
    return isObject(content) ? content : body;
  } catch {
    return body;
  }
}

/** Of which one subscription can be confirmed, and nothing else be done. */
export function readSubscribeUrl({ SubscribeURL }: JsonObject): string {
  const url = typeof SubscribeURL === 'string' && URL.canParse(SubscribeURL) ? new URL(SubscribeURL) : null;
  const isOfSns =
    url?.protocol === 'https:' &&
    /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/.test(url.host) &&
    !url.username &&
    !url.password &&
    url.pathname === '/' &&
    url.searchParams.getAll('Action').join() === 'ConfirmSubscription';
  if (isOfSns) return url.href;
  throw invalid({
    SubscribeURL: [
      problems.invalid('must confirm a subscription at https://sns.<region>.amazonaws.com or .amazonaws.com.cn'),
    ],
  });
}
