import { randomBytes } from 'node:crypto';
import { escapeHtml } from '../../../core/escape-html.js';
import { type MailLinks, renderMail } from '../../messages/mail.js';
import { getTranslator } from '../../../i18n/translator.js';
import { formatNextUpdate, toReadableText } from '../../messages/content.js';
import { renderCalendar } from '../../../notices/icalendar.js';
import type { MessageSnapshot } from '../../messages/message-snapshot.js';
import { MailComposer } from './nodemailer.js';
import type { Sender } from './sender.js';

/** What differs between recipients. */
export interface MailRecipient extends MailLinks {
  messageId: string;
  to: string;
}

/** Returns the whole message for a recipient, with CRLF line ends. */
export type MailTemplate = (recipient: MailRecipient) => string;

type Slot = { form: 'text' | 'html'; link: keyof MailLinks };
const slots: readonly Slot[] = (['text', 'html'] as const).flatMap(form =>
  (['preferences', 'unsubscribe'] as const).map(link => ({ form, link })),
);

/**
 * The placeholder of a link while the message is composed. Only letters, so that no encoding changes it, and random, so
 * that no text contains it by chance.
 */
const nonce = randomBytes(12)
  .toString('hex')
  .replace(/\d/g, digit => 'ghijklmnop'[Number(digit)]!);
const placeholders = slots.map((_, index) => `slot${'qrst'[index]}${nonce}`);

/**
 * Composes a message once for all recipients of a publication. It depends on the snapshot alone, so every attempt sends
 * the same bytes.
 */
export async function composeMailTemplate(
  snapshot: MessageSnapshot,
  sender: Sender,
  has: Record<keyof MailLinks, boolean>,
): Promise<MailTemplate> {
  const linkPlaceholders = (form: Slot['form']): MailLinks => {
    const placeholder = (link: keyof MailLinks) =>
      has[link] ? placeholders[slots.findIndex(slot => slot.form === form && slot.link === link)]! : null;
    return { preferences: placeholder('preferences'), unsubscribe: placeholder('unsubscribe') };
  };
  const { subject, text } = renderMail(snapshot, linkPlaceholders('text'));
  const { html } = renderMail(snapshot, linkPlaceholders('html'));
  const { page, notice } = snapshot;
  const composer = new MailComposer({
    from: { name: sender.name ?? page.name, address: sender.address },
    replyTo: page.supportEmail ?? undefined,
    subject,
    text,
    html,
    attachments: attachCalendar(snapshot),
    date: new Date(snapshot.at),
    messageId: '<is@another.invalid>',
    headers: {
      'List-Id': `<${page.id}.${sender.baseHost}>`,
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      // No message has this id. All messages of a notice name it, so they form one thread for late subscribers too.
      ...(notice.token && {
        References: toThreadId(notice.token, sender),
        'In-Reply-To': toThreadId(notice.token, sender),
      }),
    },
    encoding: 'quoted-printable',
    newline: 'win',
    baseBoundary: `${notice.token || page.id}${new Date(snapshot.at).getTime()}`,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = await composer.compile().build();
  return createTemplate(message.toString('latin1'));
}

const toThreadId = (token: string, { address }: Sender) =>
  `<notice.${token}${address.slice(address.lastIndexOf('@'))}>`;

function attachCalendar(snapshot: MessageSnapshot) {
  const { at, page, notice, text } = snapshot;
  const { type, beginsAt, endsAt, components, version } = notice;
  if (type !== 'planned' || !beginsAt || !endsAt) return [];
  const event = {
    ...{
      token: notice.token,
      subject: notice.subject,
      synopsis: toReadableText(text),
      nextUpdate: formatNextUpdate(snapshot, getTranslator(page.locale)).join(),
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
  const content = renderCalendar({ name: page.name, events: [event] });
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

function createTemplate(message: string): MailTemplate {
  // Quoted-printable may break a line within a placeholder.
  const pattern = new RegExp(placeholders.map(one => [...one].join(`(?:${softBreak})?`)).join('|'), 'g');
  const found: Slot[] = [];
  // A link gets lines of its own, joined to those around by soft breaks: so it may have any length.
  const withSlots = message
    .replace(/^Message-ID:.*\r\n/im, '')
    .replace(pattern, (match, offset: number, whole: string) => {
      found.push(slots[placeholders.indexOf(match.replaceAll(softBreak, ''))]!);
      const before = whole[offset - 1] === '\n' ? '' : softBreak;
      const after = whole.startsWith('\r\n', offset + match.length) ? '' : softBreak;
      return `${before}\0${after}`;
    });
  const parts = withSlots.split('\0');
  const end = message.endsWith('\r\n') ? '' : '\r\n';
  return recipient => {
    const { to, messageId, unsubscribe } = recipient;
    let text = `Message-ID: ${messageId}\r\nTo: ${to}\r\n`;
    if (unsubscribe)
      text += `List-Unsubscribe: <${unsubscribe}>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n`;
    text += parts[0]!;
    found.forEach(({ form, link }, index) => {
      const address = recipient[link] ?? '';
      text += toQuotedPrintable(form === 'html' ? escapeHtml(address) : address) + parts[index + 1]!;
    });
    return text + end;
  };
}

const maxLineLength = 72;

/** Encodes a link, which is ASCII, as quoted-printable lines. No line ends within a "=3D". */
function toQuotedPrintable(address: string): string {
  const quoted = address.replaceAll('=', '=3D');
  let lines = '';
  for (let from = 0; from < quoted.length; ) {
    let to = Math.min(from + maxLineLength, quoted.length);
    const escapeAt = quoted.lastIndexOf('=', to - 1);
    if (to < quoted.length && escapeAt > to - 3) to = escapeAt;
    lines += `${from ? softBreak : ''}${quoted.slice(from, to)}`;
    from = to;
  }
  return lines;
}
