import type { PublicationEvent, PublicationPicture } from '../message-snapshot.js';
import { shortened } from './shorten.js';
import { forSms, isGsm, segmentsOf } from './sms-segments.js';
import { readableText, contentOf, windowsIn } from './content.js';

/** An SMS disturbs, and costs: by itself it tells that an incident is there, that it is over, and that a maintenance begins. */
export const toldBySms: readonly PublicationEvent[] = ['opened', 'closed', 'begun'];

const longest = 3;

/** One to three segments. The address comes last and is whole, whatever has to go for it. */
export function smsOf(picture: PublicationPicture): string {
  const { texts, page, headline, subject, newest } = contentOf(picture);
  const window = picture.event === 'closed' ? undefined : windowsIn(picture, texts)[0];
  // The state is what the message is for: a long subject must not cut it off.
  const named = shortened(`${page}: ${subject}`, text => [...text].length <= 80);
  const words = [`${named} (${headline})`, window, newest && readableText(newest).replace(/\s+/g, ' ')]
    .filter(Boolean)
    .join('. ');
  const { token } = picture.notice;
  // The readable part of the address would only cost.
  return withLink(words, token ? `${picture.page.address}/notices/${token}` : picture.page.address);
}

export function withLink(words: string, link: string): string {
  const whole = (text: string) => forSms(text ? `${text} ${link}` : link);
  const mark = isGsm(forSms(words)) ? '...' : '…';
  return whole(shortened(words, text => segmentsOf(whole(text)) <= longest, mark));
}
