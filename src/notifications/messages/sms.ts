import type { PublicationEvent, MessageSnapshot } from '../message-snapshot.js';
import { shorten } from './shorten.js';
import { simplifyForSms, isGsm, countSegments } from './sms-segments.js';
import { toReadableText, buildMessageContent, formatPlannedWindows } from './content.js';

/** An SMS disturbs and costs money: it is sent only when an incident opens or closes, and when a maintenance begins. */
export const smsEvents: readonly PublicationEvent[] = ['opened', 'closed', 'begun'];

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

export function appendLink(text: string, link: string): string {
  const compose = (part: string) => simplifyForSms(part ? `${part} ${link}` : link);
  const mark = isGsm(simplifyForSms(text)) ? '...' : '…';
  return compose(shorten(text, part => countSegments(compose(part)) <= maxSegments, mark));
}
