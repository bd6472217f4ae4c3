import type { PublicationPicture } from '../message-snapshot.js';
import { shortened } from './shorten.js';
import { fullText, type MessageContent, contentOf } from './content.js';

/** The three characters that mean something to Slack; without them nobody is mentioned and nothing becomes a link. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Taken as it is: Slack seeks no names and no addresses in it. */
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });

/** Limits of Block Kit, in characters. */
const longestHeader = 150;
const longestSection = 3000;

const sign: Record<MessageContent['tone'], string> = {
  ok: ':large_green_circle:',
  warning: ':large_orange_circle:',
  plan: ':large_blue_circle:',
};

/** What is posted to an incoming webhook of Slack. `text` is for notifications, and for who hears it read out. */
export function slackMessage(picture: PublicationPicture): object {
  const told = contentOf(picture);
  const { t, list } = told.texts;
  const section = (text: string) => ({ type: 'section', text: mrkdwn(text) });
  const facts = [
    ...told.times,
    ...(told.components.length ? [`${t('notice.affected')}: ${list(told.components)}`] : []),
  ].join('\n');
  const within = (text: string) => escaped(text).length <= longestSection;
  return {
    text: escaped(shortened(`${told.page}: ${told.subject} (${told.headline})`, text => text.length <= longestSection)),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: shortened(told.subject, text => text.length <= longestHeader), emoji: false },
      },
      section(`${sign[told.tone]} *${escaped(told.headline)}*`),
      ...(told.newest ? [section(escaped(shortened(fullText(told.newest), within)) || '…')] : []),
      ...(facts ? [section(escaped(shortened(facts, within)))] : []),
      section(`<${escaped(told.link)}|${escaped(t('mail.view')).replaceAll('|', '¦')}>`),
      {
        type: 'context',
        elements: [
          mrkdwn(escaped(shortened(`${told.page} · ${told.time}`, text => text.length <= longestSection / 2))),
        ],
      },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}
