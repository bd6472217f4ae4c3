import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { LRUCache } from 'lru-cache';
import type { ChannelAdapter } from '../channel-adapter.js';
import type { Outcome, OutgoingMessage } from '../channel.js';
import type { MessageSnapshot } from '../../messages/message-snapshot.js';
import type { TransactionalMail } from '../../../subscribers/confirmation-sender.js';
import { composeTransactionalMail } from './transactional-mail.js';
import { isMailAddress } from './envelope.js';
import { type PreparedMessage, prepareMessage } from './compose-mail.js';
import type { Sender } from './sender.js';
import type { SmtpOptions, Timeouts } from './smtp-connection.js';
import { type MailServerState, SmtpPool } from './smtp-pool.js';
import { parseSmtpUrl } from './smtp-url.js';

type OnOutcome = (deliveryId: string, outcome: Outcome) => void;

/** Shorter than the worker's timeout of an attempt: a message must not be sent after the worker has given it up. */
const defaultTimeouts: Timeouts = { connectMs: 10_000, replyMs: 30_000, idleMs: 5_000, queueMs: 25_000 };

/** E-mail over SMTP: one message to each recipient. */
export class EmailChannel implements ChannelAdapter {
  readonly name = 'email';
  readonly #pool: SmtpPool;
  /** Of the publications that are sent at the same time. */
  readonly #prepared = new LRUCache<MessageSnapshot, PreparedMessage>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ length }) => 2 * length,
    memoMethod: snapshot => prepareMessage(snapshot, this.sender),
  });

  constructor(
    url: string,
    private readonly sender: Sender,
    options: Partial<Pick<SmtpOptions, 'oauth' | 'sign' | 'timeouts'>> = {},
  ) {
    this.#pool = new SmtpPool({
      server: parseSmtpUrl(url),
      clientName: toClientName(sender.baseHost),
      timeouts: defaultTimeouts,
      ...options,
    });
  }

  async send(messages: readonly OutgoingMessage[], onOutcome: OnOutcome): Promise<void> {
    await Promise.all(messages.map(message => this.#sendOne(message, onOutcome)));
  }

  async sendTransactional(mail: TransactionalMail): Promise<Outcome> {
    const mailbox = parseMailbox(mail.to);
    if (!mailbox) return invalidAddress;
    const messageId = `<${randomUUID()}${this.sender.address.slice(this.sender.address.lastIndexOf('@'))}>`;
    const content = await composeTransactionalMail({ ...mail, to: mailbox.address }, this.sender, messageId);
    return this.#enqueue(mailbox, async () => content);
  }

  /** Connects and signs in as for a mail. Throws a sentence where the server or the network does not allow it. */
  verify(): Promise<MailServerState> {
    return this.#pool.verify();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #sendOne({ deliveryId, messageId, snapshot, recipient }: OutgoingMessage, onOutcome: OnOutcome): Promise<void> {
    const mailbox = parseMailbox(recipient.address);
    if (!mailbox) return onOutcome(deliveryId, invalidAddress);
    const links = {
      preferences: toHeaderLink(recipient.preferences),
      unsubscribe: toHeaderLink(recipient.unsubscribe),
    };
    const mail = { messageId: toHeaderId(messageId), to: mailbox.address, ...links };
    const content = () => this.#prepared.memo(snapshot).compose(mail);
    onOutcome(deliveryId, await this.#enqueue(mailbox, content));
  }

  #enqueue({ address, needsSmtpUtf8 }: Mailbox, content: () => Promise<string>): Promise<Outcome> {
    return new Promise(onOutcome =>
      this.#pool.send({ from: this.sender.address, to: address, needsSmtpUtf8, content, onOutcome }),
    );
  }
}

interface Mailbox {
  address: string;
  needsSmtpUtf8: boolean;
}

const invalidAddress: Outcome = { kind: 'refused', response: 'This is not a valid e-mail address.' };

/** Writes the domain in ASCII (punycode), which every server accepts; the part before the "@" has no such form. */
function parseMailbox(given: string): Mailbox | null {
  // Nearly all addresses are ASCII, and need no conversion.
  if (isAscii(given)) return isMailAddress(given) ? { address: given, needsSmtpUtf8: false } : null;
  const at = given.lastIndexOf('@');
  const address = `${given.slice(0, at)}@${domainToASCII(given.slice(at + 1))}`;
  return isMailAddress(given) && isMailAddress(address) ? { address, needsSmtpUtf8: !isAscii(address) } : null;
}

const isAscii = (text: string) => /^[\x21-\x7e]*$/.test(text);

/** A link stands between angle brackets in a header: null if it could end the header or break out of the brackets. */
const toHeaderLink = (link: string | null): string | null =>
  link && isAscii(link) && !/[<>]/.test(link) ? link : null;

/** A line end in the Message-ID would begin a new header. */
const toHeaderId = (id: string) => id.replace(/[^\x21-\x7e]/g, '');

/** The name for EHLO: the base host if it has a dot, else an address literal. */
function toClientName(baseHost: string): string {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(baseHost) ? baseHost : '[127.0.0.1]';
}
