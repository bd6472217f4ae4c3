import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { LRUCache } from 'lru-cache';
import { mailDomain, publicAddress } from '../../../core/config.js';
import type { ChannelAdapter, Outcome, Outgoing } from '../channel.js';
import type { PublicationPicture } from '../../message-snapshot.js';
import type { DirectMail } from '../../../subscribers/confirmation-sender.js';
import { answerOf } from '../http/redact.js';
import { directMail } from './transactional-mail.js';
import { type MailTemplate, mailTemplate } from './mail-template.js';
import type { Sender } from './sender.js';
import { isMailAddress } from './smtp-envelope.js';
import type { Patience } from './smtp-connection.js';
import { SmtpPool } from './smtp-pool.js';
import { smtpTargetOf } from './smtp-url.js';

type Tell = (deliveryId: string, outcome: Outcome) => void;

/** E-mail over SMTP: one recipient a message. */
export class EmailChannel implements ChannelAdapter {
  readonly name = 'email';
  readonly #pool: SmtpPool;
  /** Of one publication comes batch after batch, and each may bring a picture of its own that is the same. */
  readonly #ofPicture = new WeakMap<PublicationPicture, Map<string, Promise<MailTemplate>>>();
  readonly #templates = new LRUCache<string, Promise<MailTemplate>>({ max: 16 });

  constructor(
    url: string,
    private readonly sender: Sender,
    patience?: Patience,
  ) {
    this.#pool = new SmtpPool(smtpTargetOf(url), ownName(), patience);
  }

  async send(messages: readonly Outgoing[], told: Tell): Promise<void> {
    await Promise.all(messages.map(message => this.#sendOne(message, told)));
  }

  /** What belongs to no publication. */
  async sendDirectly(mail: DirectMail): Promise<Outcome> {
    const mailbox = mailboxOf(mail.to);
    if (!mailbox) return notAnAddress;
    const messageId = `<${randomUUID()}@${mailDomain()}>`;
    const content = await directMail({ ...mail, to: mailbox.address }, this.sender, messageId);
    return this.#bring(mailbox, () => content);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #sendOne({ deliveryId, messageId, picture, recipient }: Outgoing, told: Tell): Promise<void> {
    const mailbox = mailboxOf(recipient.address);
    if (!mailbox) return told(deliveryId, notAnAddress);
    const links = { preferences: safeLink(recipient.preferences), unsubscribe: safeLink(recipient.unsubscribe) };
    let template: MailTemplate;
    try {
      template = await this.#templateOf(picture, {
        preferences: links.preferences !== null,
        unsubscribe: links.unsubscribe !== null,
      });
    } catch (error) {
      return told(deliveryId, {
        kind: 'failed',
        answer: answerOf(`The mail could not be written: ${(error as Error).message}`),
      });
    }
    told(
      deliveryId,
      await this.#bring(mailbox, () => template({ messageId: safeId(messageId), to: mailbox.address, ...links })),
    );
  }

  #bring({ address, needsAnyAlphabet }: Mailbox, content: () => string): Promise<Outcome> {
    return new Promise(told =>
      this.#pool.send({ from: this.sender.address, to: address, needsAnyAlphabet, content, told }),
    );
  }

  #templateOf(picture: PublicationPicture, has: { preferences: boolean; unsubscribe: boolean }): Promise<MailTemplate> {
    const form = `${has.preferences} ${has.unsubscribe}`;
    const known = this.#ofPicture.get(picture)?.get(form);
    if (known) return known;
    const name = `${form} ${JSON.stringify(picture)}`;
    let template = this.#templates.get(name);
    if (!template) {
      template = mailTemplate(picture, this.sender, has);
      template.catch(() => {});
      this.#templates.set(name, template);
    }
    this.#ofPicture.set(picture, (this.#ofPicture.get(picture) ?? new Map()).set(form, template));
    return template;
  }
}

interface Mailbox {
  address: string;
  needsAnyAlphabet: boolean;
}

const notAnAddress: Outcome = { kind: 'refused', answer: 'This is no address that mail could go to.' };

/** The domain in the alphabet that every server takes; what stands before the "@" has no other writing. */
function mailboxOf(given: string): Mailbox | null {
  // Nearly all are, and their domain is written the same in every alphabet.
  if (isAscii(given)) return isMailAddress(given) ? { address: given, needsAnyAlphabet: false } : null;
  const place = given.lastIndexOf('@');
  const address = `${given.slice(0, place)}@${domainToASCII(given.slice(place + 1))}`;
  return isMailAddress(given) && isMailAddress(address) ? { address, needsAnyAlphabet: !isAscii(address) } : null;
}

const isAscii = (text: string) => /^[\x21-\x7e]*$/.test(text);

/** It stands between angle brackets, in a header. */
const safeLink = (link: string | null): string | null => (link && isAscii(link) && !/[<>]/.test(link) ? link : null);

/** The other side refuses what is none; a line end in it must not get that far. */
const safeId = (id: string) => id.replace(/[^\x21-\x7e]/g, '');

/** How we introduce ourselves: a name with a dot, else the address of this machine. */
function ownName(): string {
  const { baseHost } = publicAddress();
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(baseHost) ? baseHost : '[127.0.0.1]';
}
