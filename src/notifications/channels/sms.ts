import { renderSms } from '../messages/sms.js';
import type { Outcome } from './channel.js';
import { OneByOne } from './http/webhook-channel.js';
import { outcomeOf } from './http/outcome.js';
import { type Answer, type Guard, post } from './http/post-json.js';

/** The operator's own gateway may stand wherever it likes. */
const ownGateway: Guard = { allowPrivate: true };

/** What is wrong on our side, of the numbers by which Twilio says what is wrong: credentials, the sender, the account. Any other 4xx is about this recipient. */
const aboutUs = new Set([20003, 20404, 20008, 21212, 21603, 21606, 21607, 21659, 30001, 30002]);

export interface SmsGateway {
  url: string;
  account: string;
  token: string;
  from: string;
}

/** `https://account:token@host`, the account's resource of Twilio's API below it; or with a path of its own, where a gateway has another. */
export function smsGatewayOf(address: string, from: string): SmsGateway {
  const { username, password, origin, pathname, search } = new URL(address);
  const account = decodeURIComponent(username);
  const path = pathname === '/' ? `/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json` : pathname;
  return { url: `${origin}${path}${search}`, account, token: decodeURIComponent(password), from };
}

/** SMS over Twilio's HTTP API, or one like it. */
export const sms = (gateway: SmsGateway, guard = ownGateway) =>
  new OneByOne(
    'sms',
    ({ snapshot, recipient }) => sendSms(gateway, recipient.address, renderSms(snapshot), guard),
    () => secretsOf(gateway),
  );

export async function sendSms(gateway: SmsGateway, to: string, text: string, guard = ownGateway): Promise<Outcome> {
  const { url, account, token, from } = gateway;
  // A messaging service chooses the sender itself.
  const sender: Record<string, string> = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  const headers = {
    authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  const answer = await post(
    { url, headers, body: new URLSearchParams({ To: to, ...sender, Body: text }).toString() },
    guard,
  );
  const outcome = outcomeOf({ ...answer, body: summaryOf(answer.body) }, secretsOf(gateway));
  return outcome.kind === 'refused' && isAboutUs(answer)
    ? { kind: 'failed', answer: outcome.answer, unreachable: true }
    : outcome;
}

const secretsOf = ({ account, token }: SmsGateway) => [token, Buffer.from(`${account}:${token}`).toString('base64')];

const isAboutUs = ({ status, body }: Answer) =>
  [401, 403, 404].includes(status) || aboutUs.has(Number(fieldsOf(body).code));

/** Of what the gateway says only what tells something: it repeats the message and its addresses, too. */
function summaryOf(body: string): string {
  const { sid, status, code, message } = fieldsOf(body);
  const told = [code, message, typeof status === 'string' ? status : null, sid].filter(
    part => typeof part === 'string' || typeof part === 'number',
  );
  return told.length ? told.join(' ') : body;
}

function fieldsOf(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
