import { defaultColours } from '../../pages/branding/colour.js';
import { getTranslator } from '../../i18n/translator.js';
import { buttonWithUrl, code as codeBlock, composeMail, entry, footnote, paragraph, quotation } from './mail-blocks.js';

/** Mails to operators are in English, like everything that is for them. */
const locale = 'en';
const { formatNumber: formatCount } = getTranslator(locale);

interface SenderPage {
  name: string;
  address: string;
}

/** A mail about a page that asks an operator to do something. Its subject is its heading, too. */
const composeWarning = (
  to: string,
  page: SenderPage,
  mail: Pick<Parameters<typeof composeMail>[0], 'subject' | 'preview' | 'body' | 'footer'>,
) =>
  composeMail({
    ...mail,
    to,
    translator: getTranslator(locale),
    tone: 'warn',
    sender: { ...page, brand: defaultColours },
    heading: mail.subject,
  });

/** The code of the sign-in. It contains nothing that the requester typed, and no link. */
export function composeSignInMail(to: string, code: string, origin: string) {
  const { host } = new URL(origin);
  return composeMail({
    to,
    translator: getTranslator(locale),
    sender: { name: 'All Clear', address: origin, brand: defaultColours },
    subject: `${code} is your code to sign in to ${host}`,
    preview: `${code} is valid for 15 minutes.`,
    heading: 'Your code to sign in',
    body: [
      paragraph(
        `Enter this code at ${host}, in the browser that asked for it. ` +
          'It is valid for 15 minutes and can be used once:',
      ),
      codeBlock(code),
    ],
    footer: [footnote('Didn’t ask for this? Ignore this e-mail. Never give the code to anybody who asks you for it.')],
  });
}

interface SuspendedRecipient {
  name: string;
  webhookId: number | null;
  response: string;
}

/** Names the recipients of a page that are not sent to any more. `url` leads to where the suspension is lifted. */
export function composeSuspensionMail(
  to: string,
  page: SenderPage,
  suspended: readonly SuspendedRecipient[],
  url: string,
) {
  const isOne = suspended.length === 1;
  const count = isOne ? '1 recipient' : `${formatCount(suspended.length)} recipients`;
  const subject = `${count} ${isOne ? 'is' : 'are'} suspended: ${page.name}`;
  const hasWebhooks = suspended.some(({ webhookId }) => webhookId !== null);
  const hasOthers = suspended.some(({ webhookId }) => webhookId === null);
  return composeWarning(to, page, {
    subject,
    preview: suspended.map(({ name }) => name).join(', '),
    body: [
      paragraph(`Nothing is sent to ${count} of ${page.name} until you lift the suspension.`),
      buttonWithUrl('Open in the console', url),
      ...suspended.map(({ name, response }) => entry(name, response)),
    ],
    footer: [
      ...(hasOthers
        ? ['A recipient is suspended when the server says three times in a row that it does not exist.']
        : []),
      ...(hasWebhooks ? ['A webhook is suspended when it has accepted no message for 75 hours.'] : []),
    ].map(footnote),
  });
}

/** A channel that refuses messages for a reason that is not the recipient's. */
interface FailingChannel {
  label: string;
  response: string;
  /** Of the publication: those who were sent the message, those who wait for it, and those whose mail bounced. */
  sent: number;
  waiting: number;
  returned: number;
}

const countUnsent = ({ sent, waiting, returned }: FailingChannel): string =>
  returned
    ? `${formatCount(returned)} of ${formatCount(sent + waiting + returned)} bounced`
    : `${formatCount(waiting)} of ${formatCount(sent + waiting)} waiting`;

export const describeFailingChannel = (channel: FailingChannel): string =>
  `${channel.label} is refused: ${channel.response} · ${countUnsent(channel)}`;

export function composeChannelFailureMail(to: string, page: SenderPage, channel: FailingChannel, url: string) {
  const { label, response, returned } = channel;
  const subject = `${label} is refused on ${page.name}: ${countUnsent(channel)}`;
  return composeWarning(to, page, {
    subject,
    preview: response,
    body: [
      paragraph(
        'The server refuses messages for a reason that has nothing to do with the recipients. Its last answer:',
      ),
      quotation(response),
      buttonWithUrl(returned ? 'Open the deliveries' : 'Open the channels', url),
      paragraph(
        returned
          ? 'Nobody is suspended for it. The mail server had accepted the messages, so they are not sent again by ' +
              'themselves. When the cause is fixed, choose “Resend all that failed” in the deliveries of the page.'
          : 'Nobody is suspended for it. The messages are tried again until they are accepted or the retries end.',
      ),
    ],
    footer: [
      footnote('Look at the account, the quota and the sender at your provider, and at the settings of the channel.'),
    ],
  });
}

/** Says why a draft was not published at its time. */
export function composeUnpublishedMail(
  to: string,
  page: SenderPage,
  draft: { subject: string; error: string; url: string },
) {
  const subject = `Not published as scheduled: ${draft.subject}`;
  return composeWarning(to, page, {
    subject,
    preview: draft.error,
    body: [
      paragraph('A scheduled draft could not be published, and nobody was notified:'),
      buttonWithUrl('Open the draft', draft.url),
      entry(draft.subject, draft.error),
    ],
    footer: [footnote('Preview it again to publish or to schedule it.')],
  });
}

/** What a draft that was made of alerts would send. */
interface AlertDraft {
  source: string;
  subject: string;
  /** Null: it cannot be published as it is, for this reason. */
  mail: { subject: string; text: string } | null;
  problem: string | null;
  /** "Investigating", and "Checkout (Major outage)"; empty where it cannot be published. */
  states: readonly string[];
  /** "312 by e-mail"; empty where nobody is notified. */
  audience: readonly string[];
  /** What the publisher may overlook, such as an open notice about the same components. */
  warnings: readonly string[];
  /** To which it can be added as an update in place of a new notice. */
  openNotices: readonly { subject: string; url: string }[];
  url: string;
}

const audiences = new Intl.ListFormat('en');

/** Without the signature: the links in it are those of a subscriber. */
const withoutSignature = (text: string): string => text.split('\n-- \n')[0]!.trim();

/** Says what would be published, and has the mail that subscribers would get; the button publishes just that. */
export function composeAlertMail(to: string, page: SenderPage, draft: AlertDraft) {
  const { source, mail, problem, states, audience, warnings, openNotices, url } = draft;
  const subject = `Publish it? ${draft.subject}`;
  const who = audience.length ? `Would be notified: ${audiences.format(audience)}.` : 'Nobody would be notified.';
  const state = states.join(' · ');
  return composeWarning(to, page, {
    subject,
    preview: problem ?? [state, who].filter(Boolean).join('. '),
    body: [
      paragraph(`${source} sent an alert, which became a draft. Nothing is published yet.`),
      buttonWithUrl('Review and publish', url),
      ...(problem ? [paragraph(problem)] : [entry(state, who)]),
      ...warnings.map(warning => paragraph(warning)),
      ...openNotices.flatMap(({ subject: open, url: address }) => [
        paragraph(`Or add it to the open notice “${open}” as an update:`),
        buttonWithUrl('Add to the open notice', address),
      ]),
      ...(mail
        ? [
            paragraph('This is the e-mail that subscribers would get:'),
            quotation(`${mail.subject}\n\n${withoutSignature(mail.text)}`),
          ]
        : []),
    ],
    footer: [footnote('If anything changes before you publish, the console shows it and asks again.')],
  });
}
