import type { MailEvent } from './mail-event.js';

/** How the events of each provider are read. */

type JsonObject = Record<string, unknown>;

interface Provider {
  label: string;
  /** Whether an event has its shape. */
  recognizes(event: JsonObject): boolean;
  /** Events about other things, such as a delivery or a click, are none. */
  read(event: JsonObject): MailEvent[];
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Of a request. What reads events stops soon after, and more are refused. */
export const maxEvents = 5_000;
/** In characters. Recipients have texts in common, such as the type of a bounce, and each has a copy of them. */
const maxText = 2_000;

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, maxText) : typeof value === 'number' ? String(value) : '';
const listObjects = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.slice(0, maxEvents + 1).filter(isObject) : [];
const join = (...parts: unknown[]): string => parts.map(textOf).filter(Boolean).join(' ');

const toEvent = (
  kind: MailEvent['kind'],
  address: unknown,
  { ids = [], response, isPermanent = false }: { ids?: unknown[]; response: string; isPermanent?: boolean },
): MailEvent => ({
  kind,
  addresses: [
    textOf(address)
      .replace(/^.*<([^<>]*)>$/s, '$1')
      .trim(),
  ],
  ids: ids.map(id => textOf(id).replace(/^<|>$/g, '')).filter(Boolean),
  // The same account may send other mails to the person, whose complaint would end these.
  mustBeNamed: kind === 'complained' && ids.some(id => textOf(id)),
  response: response || (kind === 'bounced' ? 'Bounced.' : 'Complained.'),
  isPermanent,
});

const ses: Provider = {
  label: 'Amazon SES, by SNS',
  recognizes: event => ('notificationType' in event || 'eventType' in event) && isObject(event.mail),
  read: event => {
    const { messageId, commonHeaders } = objectOf(event.mail);
    const ids = [messageId, objectOf(commonHeaders).messageId];
    const type = textOf(event.notificationType ?? event.eventType);
    if (type === 'Bounce') {
      const { bounceType, bounceSubType, bouncedRecipients } = objectOf(event.bounce);
      // Without a diagnostic code it is the answer of a person who is away.
      const isAway = bounceType === 'Transient' && bounceSubType === 'General';
      const failed = listObjects(bouncedRecipients).filter(({ diagnosticCode }) => diagnosticCode || !isAway);
      return failed.map(({ emailAddress, status, diagnosticCode }) =>
        toEvent('bounced', emailAddress, {
          ids,
          response: textOf(diagnosticCode) || join(bounceType, bounceSubType, status),
          isPermanent: bounceType === 'Permanent',
        }),
      );
    }
    const { complainedRecipients, complaintFeedbackType } = objectOf(event.complaint);
    if (type !== 'Complaint' || complaintFeedbackType === 'not-spam') return [];
    return listObjects(complainedRecipients).map(({ emailAddress }) =>
      toEvent('complained', emailAddress, { ids, response: join('Complaint', complaintFeedbackType) }),
    );
  },
};

const leaving = new Set(['SpamComplaint', 'Unsubscribe']);
/** Answers of programs, and mails that are tried again. */
const notFinal = new Set([
  'AutoResponder',
  'Transient',
  'AddressChange',
  'Subscribe',
  'ChallengeVerification',
  'OpenRelayTest',
]);

const postmark: Provider = {
  label: 'Postmark',
  recognizes: event => 'RecordType' in event,
  read: ({ RecordType, Type, Email, MessageID, Details, Description }) => {
    const ids = [MessageID];
    if (RecordType === 'SpamComplaint' || leaving.has(textOf(Type)))
      return [toEvent('complained', Email, { ids, response: textOf(Type) || 'SpamComplaint' })];
    if (RecordType !== 'Bounce' || notFinal.has(textOf(Type))) return [];
    const isPermanent = Type === 'HardBounce' || Type === 'BadEmailAddress';
    return [toEvent('bounced', Email, { ids, response: join(Type, Details) || join(Description), isPermanent })];
  },
};

const mailgun: Provider = {
  label: 'Mailgun',
  recognizes: event => isObject(event['event-data']),
  read: body => {
    const { event, severity, recipient, reason, message, ...data } = objectOf(body['event-data']);
    const ids = [objectOf(objectOf(message).headers)['message-id']];
    const { code, message: text, description } = objectOf(data['delivery-status']);
    const hasLeft = ['suppress-complaint', 'suppress-unsubscribe'].includes(textOf(reason));
    if (event === 'complained' || event === 'unsubscribed' || (event === 'failed' && hasLeft))
      return [toEvent('complained', recipient, { ids, response: join(event, reason) })];
    if (event !== 'failed' || severity !== 'permanent') return [];
    // Codes of Mailgun itself are 600 and more.
    const answer = join(Number(code) < 600 ? code : reason, textOf(text) || description);
    const isPermanent = reason === 'bounce' || reason === 'suppress-bounce';
    return [toEvent('bounced', recipient, { ids, response: answer, isPermanent })];
  },
};

const droppedForBounce = ['Bounced Address', 'Invalid'];
const droppedForLeaving = ['Spam Reporting Address', 'Unsubscribed Address'];

const sendGrid: Provider = {
  label: 'SendGrid',
  recognizes: event => 'sg_event_id' in event || 'sg_message_id' in event,
  read: ({ event, email, type, reason, status, sg_message_id: id, bounce_classification: classification, ...rest }) => {
    const ids = [rest['smtp-id'], textOf(id).split('.')[0]];
    const has = (words: readonly string[]) => words.some(word => textOf(reason).startsWith(word));
    if (event === 'spamreport' || event === 'unsubscribe' || (event === 'dropped' && has(droppedForLeaving)))
      return [toEvent('complained', email, { ids, response: join(event, reason) })];
    const isDropped = event === 'dropped' && has(droppedForBounce);
    if (event !== 'bounce' && !isDropped) return [];
    const isPermanent = isDropped || (type !== 'blocked' && (!classification || classification === 'Invalid Address'));
    return [toEvent('bounced', email, { ids, response: textOf(reason) || join(status, classification), isPermanent })];
  },
};

const brevoBounces = ['hard_bounce', 'soft_bounce', 'invalid_email', 'error'];
const brevoPermanent = ['hard_bounce', 'invalid_email'];

const brevo: Provider = {
  label: 'Brevo',
  recognizes: event => 'event' in event && 'message-id' in event,
  read: ({ event, email, reason, ...rest }) => {
    const ids = [rest['message-id']];
    const name = textOf(event);
    if (name === 'spam' || name === 'unsubscribed') return [toEvent('complained', email, { ids, response: name })];
    if (!brevoBounces.includes(name)) return [];
    const isPermanent = brevoPermanent.includes(name);
    return [toEvent('bounced', email, { ids, response: join(name, reason), isPermanent })];
  },
};

const providers = [ses, postmark, mailgun, sendGrid, brevo];
export const providerLabels = providers.map(({ label }) => label).join(', ');

/** Null: an event has the shape of none. SendGrid sends several at once. */
export function readMailEvents(body: unknown): MailEvent[] | null {
  const read: MailEvent[] = [];
  for (const event of Array.isArray(body) ? body : [body]) {
    const provider = isObject(event) ? providers.find(({ recognizes }) => recognizes(event)) : undefined;
    if (!provider) return null;
    read.push(...provider.read(event).filter(({ addresses }) => addresses[0]?.includes('@')));
    if (read.length > maxEvents) break;
  }
  return read;
}
