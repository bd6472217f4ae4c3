import { type Mail, prepareMail } from '../../messages/mail.js';
import type { MailLinks } from '../../messages/mail-links.js';
import { getTranslator } from '../../../i18n/translator.js';
import { maxListedComponents } from '../../messages/event.js';
import { formatNextUpdate, toReadableText } from '../../messages/content.js';
import { renderCalendar } from '../../../notices/icalendar.js';
import type { MessageSnapshot } from '../../messages/message-snapshot.js';
import { toUnsubscribeSubject } from '../../messages/unsubscribe-subject.js';
import { MailComposer } from './nodemailer.js';
import type { Sender } from './sender.js';

/** What differs between recipients. */
interface MailRecipient extends MailLinks {
  messageId: string;
  to: string;
}

/** A message but for its recipient. */
export interface PreparedMessage {
  /** In characters. */
  length: number;
  /** With CRLF line ends. */
  compose(recipient: MailRecipient): Promise<string>;
}

/** What is the same for all recipients. Pure functions: every attempt sends the same bytes. */
export function prepareMessage(snapshot: MessageSnapshot, sender: Sender): PreparedMessage {
  const mail = prepareMail(snapshot, toPostUpdate(snapshot, sender));
  const attachments = createCalendar(snapshot);
  const length = attachments.reduce((sum, { content }) => sum + content.length, mail.length);
  const { page, notice, at } = snapshot;
  const compose = async ({ messageId, to, ...links }: MailRecipient) => {
    const { unsubscribe } = links;
    const rendered = mail.render(links);
    const composer = new MailComposer({
      from: { name: sender.name ?? page.name, address: sender.address },
      to: { name: '', address: to },
      replyTo: page.supportEmail ?? undefined,
      ...rendered,
      // The composer may change what it gets.
      attachments: attachments.map(attachment => ({ ...attachment })),
      date: new Date(at),
      messageId,
      headers: {
        ...sender.headers,
        ...(unsubscribe && {
          // Mail servers read a folded link as two.
          'List-Unsubscribe': { prepared: true, value: listUnsubscribing(unsubscribe, page.id, sender) },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
        'List-Id': `<${page.id}.${sender.baseHost}>`,
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'OOF, AutoReply',
        // No message has this id. All messages of a notice name it, so they form one thread for late subscribers too.
        ...(notice.token && {
          References: toThreadId(notice.token, sender),
          'In-Reply-To': toThreadId(notice.token, sender),
        }),
      },
      encoding: chooseEncoding(rendered),
      newline: 'win',
      baseBoundary: `${notice.token || page.id}${new Date(at).getTime()}`,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const message = (await composer.compile().build()).toString();
    return message.endsWith('\r\n') ? message : `${message}\r\n`;
  };
  return { length, compose };
}

/** Of the HTML, in characters. */
const longLength = 50_000;

/** A long text in Japanese takes ten times as long as quoted-printable, for each recipient, and has twice the bytes. */
const chooseEncoding = ({ html }: Mail): 'base64' | 'quoted-printable' =>
  html.length > longLength && Buffer.byteLength(html) > 1.2 * html.length ? 'base64' : 'quoted-printable';

/** The button of some mail clients needs a mailbox, and others take the first of both (RFC 2369, RFC 8058). */
function listUnsubscribing(link: string, pageId: string, { unsubscribeMailbox }: Sender): string {
  if (!unsubscribeMailbox) return `<${link}>`;
  const token = link.slice(link.lastIndexOf('/') + 1);
  const subject = encodeURIComponent(toUnsubscribeSubject({ pageId, token }));
  return `<${link}>, <mailto:${unsubscribeMailbox}?subject=${subject}>`;
}

/** The mail that an update is due goes to an operator. */
const toPostUpdate = ({ event, page, notice }: MessageSnapshot, { consoleOrigin }: Sender): string | null =>
  event === 'update_due' && consoleOrigin ? `${consoleOrigin}/console/pages/${page.id}/notices/${notice.id}` : null;

const toThreadId = (token: string, { address }: Sender) =>
  `<notice.${token}${address.slice(address.lastIndexOf('@'))}>`;

function createCalendar(snapshot: MessageSnapshot) {
  const { at, page, notice, text } = snapshot;
  const { type, beginsAt, endsAt, components, version } = notice;
  if (type !== 'planned' || !beginsAt || !endsAt) return [];
  const translator = getTranslator(page.locale);
  const event = {
    token: notice.token,
    subject: notice.subject,
    synopsis: toReadableText(text),
    nextUpdate: formatNextUpdate(snapshot, translator).join(),
    state: notice.state,
    link: notice.link,
    beginsAt: new Date(beginsAt),
    endsAt: new Date(endsAt),
    updatedAt: new Date(at),
    version,
    components: components.slice(0, maxListedComponents).map(({ name }) => name),
  };
  const content = renderCalendar({ name: page.name, cancelled: translator.t('state.cancelled'), events: [event] });
  return [
    {
      filename: 'maintenance.ics',
      contentType: 'text/calendar; charset=utf-8; method=PUBLISH',
      contentTransferEncoding: 'base64',
      content,
    },
  ];
}
