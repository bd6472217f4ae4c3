import type { SsrfGuard } from '../../../http/guarded-request.js';
import type { HttpResponse, Outcome } from '../channel.js';
import { toOutcome } from '../outcome.js';
import { redact } from '../redact.js';
import { renderSms } from '../sms.js';
import { post } from './post.js';
import { WebhookChannel } from './webhook-channel.js';

/** Twilio's error codes about credentials, the sender or the account. Any other 4xx is about the recipient. */
const configurationErrors = new Set([20003, 20404, 20008, 21212, 21603, 21606, 21607, 21659, 30001, 30002]);

export interface SmsGateway {
  url: string;
  account: string;
  token: string;
  from: string;
}

/** Parses `https://account:token@host`. Without a path, that of Twilio's API is used. */
export function parseSmsUrl(address: string, from: string): SmsGateway {
  const { username, password, origin, pathname, search } = new URL(address);
  const account = decodeURIComponent(username);
  const path = pathname === '/' ? `/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json` : pathname;
  return { url: `${origin}${path}${search}`, account, token: decodeURIComponent(password), from };
}

/** SMS by Twilio's HTTP API, or a compatible one. */
export const createSmsChannel = (gateway: SmsGateway, guard: SsrfGuard) =>
  new WebhookChannel(
    'sms',
    ({ snapshot, recipient }) => sendSms(gateway, recipient.address, renderSms(snapshot), guard),
    () => listSecrets(gateway),
  );

export async function sendSms(gateway: SmsGateway, to: string, text: string, guard: SsrfGuard): Promise<Outcome> {
  const { url, account, token, from } = gateway;
  // A messaging service (MG...) chooses the sender.
  const sender: Record<string, string> = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  const headers = {
    authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  const response = await post(
    { url, headers, body: new URLSearchParams({ To: to, ...sender, Body: text }).toString() },
    guard,
  );
  const outcome = toOutcome({ ...response, body: summarize(response.body) });
  const redacted = redact(outcome.response, listSecrets(gateway));
  if (outcome.kind !== 'refused') return { ...outcome, response: redacted };
  // Never as gone: a path that the gateway does not have says nothing about the recipient.
  return isConfigurationError(response)
    ? { kind: 'failed', response: redacted, unreachable: true }
    : { kind: 'refused', response: redacted };
}

const listSecrets = ({ account, token }: SmsGateway) => [token, Buffer.from(`${account}:${token}`).toString('base64')];

const isConfigurationError = ({ status, body }: HttpResponse) =>
  [401, 403, 404].includes(status) || configurationErrors.has(Number(parseFields(body).code));

/** The status and the error of a response, which also repeats the message and the phone number. */
function summarize(body: string): string {
  const { sid, status, code, message } = parseFields(body);
  const parts = [code, message, typeof status === 'string' ? status : null, sid].filter(
    part => typeof part === 'string' || typeof part === 'number',
  );
  return parts.length ? parts.join(' ') : body;
}

function parseFields(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
