import { randomBytes } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import { publicAddress } from '../../../core/config.js';
import { escapeHtml } from '../../../core/escape-html.js';
import { type MailLinks, mailOf } from '../../messages/mail.js';
import { readableText } from '../../messages/content.js';
import { calendarOf } from '../../../notices/icalendar.js';
import type { PublicationPicture } from '../../message-snapshot.js';
import type { Sender } from './sender.js';

/** What differs from recipient to recipient. */
export interface MailRecipient extends MailLinks {
  messageId: string;
  to: string;
}

/** A mail of which only that is open; given it, the whole as it goes over the wire. */
export type MailTemplate = (recipient: MailRecipient) => string;

type Slot = { form: 'text' | 'html'; link: keyof MailLinks };
const slots: readonly Slot[] = (['text', 'html'] as const).flatMap(form =>
  (['preferences', 'unsubscribe'] as const).map(link => ({ form, link })),
);

/** Stands in for a link while the mail is composed: letters only, so that it is written the same in every form, and none that a text could hold by chance. */
const nonce = randomBytes(12)
  .toString('hex')
  .replace(/\d/g, digit => 'ghijklmnop'[Number(digit)]!);
const marks = slots.map((_, index) => `slot${'qrst'[index]}${nonce}`);

/** A mail is composed once for a publication, whatever the number of its recipients. It follows from the picture alone, so every attempt brings the same. */
export async function mailTemplate(
  picture: PublicationPicture,
  sender: Sender,
  has: Record<keyof MailLinks, boolean>,
): Promise<MailTemplate> {
  const marked = (form: Slot['form']): MailLinks => {
    const mark = (link: keyof MailLinks) =>
      has[link] ? marks[slots.findIndex(slot => slot.form === form && slot.link === link)]! : null;
    return { preferences: mark('preferences'), unsubscribe: mark('unsubscribe') };
  };
  const { subject, text } = mailOf(picture, marked('text'));
  const { html } = mailOf(picture, marked('html'));
  const { page, notice } = picture;
  const composer = new MailComposer({
    from: { name: sender.name ?? page.name, address: sender.address },
    replyTo: page.supportEmail ?? undefined,
    subject,
    text,
    html,
    attachments: calendarFile(picture),
    date: new Date(picture.at),
    messageId: '<is@another.invalid>',
    headers: {
      'List-Id': `<${page.id}.${publicAddress().baseHost}>`,
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      // No mail has this id: that all of a notice name it makes them one thread, also for who subscribed in the middle.
      ...(notice.token && {
        References: threadOf(notice.token, sender),
        'In-Reply-To': threadOf(notice.token, sender),
      }),
    },
    encoding: 'quoted-printable',
    newline: 'win',
    baseBoundary: `${notice.token || page.id}${new Date(picture.at).getTime()}`,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = await composer.compile().build();
  return filler(message.toString('latin1'));
}

const threadOf = (token: string, { address }: Sender) => `<notice.${token}${address.slice(address.lastIndexOf('@'))}>`;

function calendarFile({ at, page, notice, text }: PublicationPicture) {
  const { type, beginsAt, endsAt, components, version } = notice;
  if (type !== 'planned' || !beginsAt || !endsAt) return [];
  const event = {
    ...{
      token: notice.token,
      subject: notice.subject,
      synopsis: readableText(text),
      state: notice.state,
      link: notice.link,
    },
    ...{
      beginsAt: new Date(beginsAt),
      endsAt: new Date(endsAt),
      updatedAt: new Date(at),
      version,
      components: components.map(({ name }) => name),
    },
  };
  const content = calendarOf({ name: page.name, events: [event] });
  return [
    {
      filename: 'maintenance.ics',
      contentType: 'text/calendar; charset=utf-8',
      contentTransferEncoding: 'base64',
      content,
    },
  ];
}

const softBreak = '=\r\n';

function filler(message: string): MailTemplate {
  const open = new RegExp(marks.map(mark => [...mark].join(`(?:${softBreak})?`)).join('|'), 'g');
  const found: Slot[] = [];
  // A link gets lines of its own, joined to those around by soft breaks: so it may have any length.
  const withSlots = message.replace(/^Message-ID:.*\r\n/im, '').replace(open, (match, place: number, whole: string) => {
    found.push(slots[marks.indexOf(match.replaceAll(softBreak, ''))]!);
    return `${whole[place - 1] === '\n' ? '' : softBreak}\0${whole.startsWith('\r\n', place + match.length) ? '' : softBreak}`;
  });
  const parts = withDots(withSlots).split('\0');
  const end = message.endsWith('\r\n') ? '' : '\r\n';
  return recipient => {
    const { to, messageId, unsubscribe } = recipient;
    let text = `Message-ID: ${messageId}\r\nTo: ${to}\r\n`;
    if (unsubscribe)
      text += `List-Unsubscribe: <${unsubscribe}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`;
    text += parts[0]!;
    found.forEach(({ form, link }, index) => {
      const address = recipient[link] ?? '';
      text += quotedLines(form === 'html' ? escapeHtml(address) : address) + parts[index + 1]!;
    });
    return text + end;
  };
}

/** A line that is a single dot would end the message (RFC 5321, 4.5.2). */
const withDots = (text: string) => text.replace(/^\./gm, '..');

const longestLine = 72;

/** Quoted-printable lines of an address, which is ASCII. No line ends within a "=3D". */
function quotedLines(address: string): string {
  const quoted = address.replaceAll('=', '=3D');
  let lines = '';
  for (let from = 0; from < quoted.length; ) {
    let to = Math.min(from + longestLine, quoted.length);
    const cut = quoted.lastIndexOf('=', to - 1);
    if (to < quoted.length && cut > to - 3) to = cut;
    lines += `${from ? softBreak : ''}${quoted[from] === '.' ? '.' : ''}${quoted.slice(from, to)}`;
    from = to;
  }
  return lines;
}
