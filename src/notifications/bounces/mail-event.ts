import { classifySmtpAnswer } from '../channels/refusals.js';
import type { MailedToken } from '../messages/unsubscribe-subject.js';

/** What a provider or a mail server reports of a mail after it was accepted. */
export interface MailEvent {
  /** `complained`: the person called the mail spam, or unsubscribed at the provider. */
  kind: 'bounced' | 'complained';
  /** Of the recipient. Where an alias led to another address, that of the alias is the first. */
  addresses: readonly string[];
  /** Message-IDs without brackets, and ids of the provider, one of which its server named when it accepted the mail. */
  ids: readonly string[];
  /** Whether it counts for a mail with one of the ids alone, not for the latest one to the address. */
  mustBeNamed: boolean;
  /** Whether anybody can have written it: then its ids count as a Message-ID alone, which is random. */
  isByMail?: true;
  /** The answer of the recipient's server, or what the provider says. */
  response: string;
  /** Whether the provider calls it permanent. */
  isPermanent: boolean;
}

/** A mail by which somebody unsubscribes, with the token of their link. */
export interface MailedUnsubscription extends MailedToken {
  kind: 'unsubscribed';
}

/** In characters. Answers of servers are a line or two. */
const maxAnswer = 1_000;

/**
 * Whether nobody has the address. The answer of the recipient's server is read as one that the service gets itself;
 * without one, or where it does not say, the provider decides.
 */
export function isGone({ response, isPermanent }: MailEvent): boolean {
  const [answer] = /\b[45]\d\d[ -].*/s.exec(response.slice(0, maxAnswer)) ?? [];
  const kind = answer === undefined ? null : classifySmtpAnswer('RCPT TO', answer.replace(/\s+/g, ' '));
  return kind === 'gone' || (isPermanent && kind === null);
}
