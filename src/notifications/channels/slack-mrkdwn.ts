import type { ChatMarkup } from './chat-markup.js';

/** Escapes the three control characters of Slack, without which there are no mentions and no links. */
export const escapeMrkdwn = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The markup of Slack. */
export const mrkdwnMarkup: ChatMarkup = {
  escapeText: escapeMrkdwn,
  // Nothing can escape the characters that end a link, so they are replaced.
  formatLink: (url, text) =>
    `<${escapeMrkdwn(url.replaceAll('|', '%7C'))}|${escapeMrkdwn(text.replaceAll('|', '¦').replace(/\s+/g, ' '))}>`,
  formatCode: text => `\`${escapeMrkdwn(text)}\``,
  bold: '*',
  italic: '_',
  struck: '~',
};
