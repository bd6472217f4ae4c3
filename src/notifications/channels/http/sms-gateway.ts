import { requestGuarded, type SsrfGuard } from '../../../http/guarded-request.js';
import type { ChannelAdapter } from '../channel-adapter.js';
import type { Outcome } from '../channel.js';
import { toChatOutcome, toRefusal } from '../outcome.js';
import { redact } from '../redact.js';
import { classifySmsResponse } from '../refusals.js';
import { renderSms } from '../sms.js';
import { post } from './post.js';
import { WebhookChannel } from './webhook-channel.js';

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
export const createSmsChannel = (gateway: SmsGateway, guard: SsrfGuard): ChannelAdapter =>
  Object.assign(
    new WebhookChannel(
      'sms',
      ({ snapshot, recipient }) => sendSms(gateway, recipient.address, renderSms(snapshot), guard),
      () => listSecrets(gateway),
    ),
    { verify: () => verifyGateway(gateway, guard) },
  );

const twilioMessages = /(\/2010-04-01\/Accounts\/[^/]+)\/Messages\.json$/;

/** Reads the account where the path is that of Twilio; any answer of another gateway will do. */
async function verifyGateway(gateway: SmsGateway, guard: SsrfGuard): Promise<void> {
  const { url } = gateway;
  const isTwilio = twilioMessages.test(url);
  const { status } = await requestGuarded(
    {
      method: 'GET',
      url: isTwilio ? url.replace(twilioMessages, '$1.json') : new URL(url).origin,
      headers: { accept: 'application/json', ...(isTwilio && { authorization: toAuthorization(gateway) }) },
      maxBodyLength: 1_024,
    },
    guard,
  ).catch((error: Error) => {
    throw new Error(redact(`The SMS gateway cannot be reached: ${error.message}`, listSecrets(gateway)));
  });
  if (status === 401) throw new Error('The SMS gateway refuses the account and token of SMS_URL: HTTP 401.');
}

const toAuthorization = ({ account, token }: SmsGateway): string =>
  `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`;

export async function sendSms(gateway: SmsGateway, to: string, text: string, guard: SsrfGuard): Promise<Outcome> {
  const { url, from } = gateway;
  // A messaging service (MG...) chooses the sender.
  const sender: Record<string, string> = from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from };
  const headers = {
    authorization: toAuthorization(gateway),
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  const response = await post(
    { url, headers, body: new URLSearchParams({ To: to, ...sender, Body: text }).toString() },
    guard,
  );
  const outcome = toChatOutcome({ ...response, body: summarize(response.body) });
  const redacted = redact(outcome.response, listSecrets(gateway));
  const fields = parseFields(response.body);
  const isAccepted = response.status >= 200 && response.status < 300;
  const hasFailed = isAccepted && failedStates.includes(String(fields.status));
  if (isAccepted && !hasFailed) return { ...outcome, response: redacted };
  const [code, message] = [fields.code ?? fields.error_code ?? 0, fields.message ?? fields.error_message ?? ''];
  const kind = classifySmsResponse(hasFailed ? 400 : response.status, Number(code), String(message));
  const refusal = toRefusal(kind, redacted);
  if (refusal.kind !== 'failed' || outcome.kind !== 'failed') return refusal;
  const { afterSeconds, unreachable } = outcome;
  return {
    ...refusal,
    ...(afterSeconds !== undefined && { afterSeconds }),
    ...(unreachable && { unreachable }),
  };
}

/** The `status` of a message that a gateway took and has not sent. */
const failedStates = ['failed', 'undelivered', 'rejected', 'error'];

const listSecrets = ({ account, token }: SmsGateway) => [token, Buffer.from(`${account}:${token}`).toString('base64')];

/** The status and the error of a response, which also repeats the message and the phone number. */
function summarize(body: string): string {
  const { sid, status, code, message, error_code: errorCode, error_message: error } = parseFields(body);
  const parts = [code ?? errorCode, message ?? error, typeof status === 'string' ? status : null, sid].filter(
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
