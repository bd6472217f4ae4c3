import { buildMessageContent, formatPlannedWindows, toReadableText } from '../messages/content.js';
import { shorten } from '../../i18n/shorten.js';
import { countSegments, isGsm, simplifyForSms } from '../messages/sms-segments.js';
import type { MessageSnapshot } from '../messages/message-snapshot.js';
import { parsePhoneNumber } from '../../core/address.js';
import type { SubscriberChannelDefinition } from './channel.js';

/** The last ones: the snapshot of each has up to a megabyte, and is read for each recipient. */
const lastBegunSql = `array(
  select begun.id from publication begun
  where begun.notice_id = pub.notice_id and begun.event = 'begun' and begun.id < pub.id
  order by begun.id desc limit 2)`;

/**
 * Whether a maintenance was cancelled after it began, or was completed more than 5 minutes after the end that the SMS
 * about its beginning gave. The automation completes it some seconds after its window, which is not late.
 */
const hasEndedOffScheduleSql = `earlier.event = 'begun' and (pub.event = 'cancelled' or pub.event = 'completed'
  and case when earlier.id = any(${lastBegunSql})
    then pub.created_at > interval '5 minutes' + (earlier.message_snapshot #>> '{notice,endsAt}')::timestamptz
    else false end)`;

export const sms: SubscriberChannelDefinition<'sms', 'SMS'> = {
  name: 'sms',
  enumName: 'SMS',
  label: 'SMS',
  recipients: 'subscribers',
  settings: ['SMS_URL', 'SMS_FROM'],
  configuredVariable: 'isSmsConfigured',
  addressColumn: 'phone_number',
  parseAddress: parsePhoneNumber,
  concurrency: 8,
  // An SMS disturbs and costs money: it is sent only when an incident opens or closes, when a maintenance begins, when
  // it ends off schedule, and to correct such a message.
  events: ['opened', 'closed', 'begun', 'correction'],
  isFollowUpSql: hasEndedOffScheduleSql,
  preview: { description: 'The SMS.', render: renderSms },
};

const maxSegments = 3;

/** One to three segments. The link comes last and is never cut. */
export function renderSms(snapshot: MessageSnapshot): string {
  const { translator, page, headline, subject, newest } = buildMessageContent(snapshot);
  const window = snapshot.event === 'closed' ? undefined : formatPlannedWindows(snapshot, translator)[0];
  // The state is the point of the message: a long subject must not push it out.
  const name = shorten(`${page}: ${subject}`, text => [...text].length <= 80);
  const text = [`${name} (${headline})`, window, newest && toReadableText(newest).replace(/\s+/g, ' ')]
    .filter(Boolean)
    .join('. ');
  const { token } = snapshot.notice;
  // Without the readable part of the path, which would only cost characters.
  return appendLink(text, token ? `${snapshot.page.address}/notices/${token}` : snapshot.page.address);
}

function appendLink(text: string, link: string): string {
  const compose = (part: string) => simplifyForSms(part ? `${part} ${link}` : link);
  const mark = isGsm(simplifyForSms(text)) ? '...' : '…';
  return compose(shorten(text, part => countSegments(compose(part)) <= maxSegments, mark));
}
