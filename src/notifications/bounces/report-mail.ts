import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { parseUnsubscribeSubject } from '../messages/unsubscribe-subject.js';
import type { MailedUnsubscription, MailEvent } from './mail-event.js';

/**
 * Mails that report on another one: delivery status notifications (RFC 3464), reports of abuse (RFC 5965), and those
 * that unsubscribe (RFC 2369). The MIME parts are read by a library, which leaves the fields in them as text. Anybody
 * can send such a mail, so that a report counts for the mail whose Message-ID it has, which is random, and a mail that
 * unsubscribes for the token in its subject, which is signed.
 */
export async function readReportMail(content: Buffer): Promise<(MailEvent | MailedUnsubscription)[]> {
  const options = { forceRfc822Attachments: true, attachmentEncoding: 'utf8' } as const;
  // A mail that is not MIME, or is nested to break it, reports nothing.
  const mail = await PostalMime.parse(Buffer.from(cut(content), 'latin1'), options).catch(() => null);
  if (!mail) return [];
  const ids = readIds(mail);
  const status = findPart(mail, /^message\/(global-)?delivery-status$/);
  const report = findPart(mail, /^message\/feedback-report$/);
  const unsubscription = parseUnsubscribeSubject(mail.subject ?? '');
  return [
    ...(unsubscription ? [{ kind: 'unsubscribed' as const, ...unsubscription }] : []),
    ...(status === null ? [] : readGroups(status).flatMap(group => readBounce(group, ids))),
    ...(report === null ? [] : readGroups(report).flatMap(group => readComplaint(group, ids, mail))),
  ];
}

/** A report comes before the mail that it is about, of which only the header is read. */
const maxBytes = 256 * 1024;
/** The library takes longer for a line than for its bytes, and nothing else runs meanwhile. */
const maxLines = 5_000;

/** Of the header. The library parses addresses, for which a long list takes it half a second. */
const neededFields = /^(subject|message-id|in-reply-to|references|mime-version|content-[\w-]+):/i;

function cut(content: Buffer): string {
  const lines = content.toString('latin1', 0, maxBytes).split('\n', maxLines);
  const blank = lines.findIndex(line => line.trim() === '');
  // A header that is longer than what is read has no end.
  const end = blank < 0 ? lines.length : blank;
  let isNeeded = true;
  const header = lines.slice(0, end).filter(line => {
    if (!/^[ \t]/.test(line)) isNeeded = neededFields.test(line);
    return isNeeded;
  });
  return [...header, ...lines.slice(end)].join('\n');
}

const findPart = ({ attachments }: Email, type: RegExp): string | null => {
  const part = attachments.find(({ mimeType }) => type.test(mimeType));
  return part ? toText(part) : null;
};

const toText = ({ content }: Attachment): string =>
  typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString();

type Fields = Map<string, string>;

/** Groups of fields, parted by empty lines. A line that begins with a space continues a field. */
const readGroups = (text: string): Fields[] =>
  text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .map(group => readFields(group));

const readFields = (group: string): Fields =>
  new Map(
    group
      .replace(/\n[ \t]+/g, ' ')
      .split('\n')
      .flatMap(line => {
        const end = line.indexOf(':');
        const name = line.slice(0, Math.max(end, 0));
        return /^[\w-]+$/.test(name) ? [[name.toLowerCase(), line.slice(end + 1).trim()] as const] : [];
      }),
  );

/** `rfc822; ada@example.com` */
const toAddress = (field = ''): string =>
  field
    .replace(/^[\w-]+\s*;/, '')
    .replace(/[<>]/g, '')
    .trim();

function readBounce(fields: Fields, ids: readonly string[]): MailEvent[] {
  const recipients = [fields.get('original-recipient'), fields.get('final-recipient')].map(toAddress);
  const addresses = [...new Set(recipients)].filter(address => address.includes('@'));
  const isFailure = /^failed/i.test(fields.get('action') ?? '');
  const status = fields.get('status') ?? '';
  const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^[\w-]+\s*;\s*/, '');
  const response = /^\d{3}\b/.test(diagnostic)
    ? diagnostic
    : `${/^5/.test(status) ? 550 : 450} ${status} ${diagnostic}`;
  if (!isFailure || !addresses.length) return [];
  return [
    {
      kind: 'bounced',
      addresses,
      ids,
      mustBeNamed: true,
      isByMail: true,
      response: response.trim(),
      isPermanent: false,
    },
  ];
}

function readComplaint(fields: Fields, ids: readonly string[], mail: Email): MailEvent[] {
  const type = fields.get('feedback-type');
  if (!type || type === 'not-spam') return [];
  const address = toAddress(fields.get('original-rcpt-to') ?? readFields(findOriginal(mail)).get('to'));
  const response = `Complaint ${type}`;
  return [
    { kind: 'complained', addresses: [address], ids, mustBeNamed: true, isByMail: true, response, isPermanent: false },
  ];
}

const findOriginal = (mail: Email): string =>
  findPart(mail, /^(message\/(rfc822|global|rfc822-headers)|text\/rfc822-headers)$/) ?? '';

/** The Message-ID of the mail that is reported of, from its header. */
function readIds(mail: Email): string[] {
  const [header = ''] = findOriginal(mail).replaceAll('\r\n', '\n').split(/\n\n/);
  const id = readFields(header).get('message-id');
  return id ? [id.replace(/^<|>$/g, '')] : [];
}
