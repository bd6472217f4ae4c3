import { defaultColours } from '../../pages/branding/colour.js';
import { getTranslator } from '../../i18n/translator.js';
import { buttonWithUrl, code as codeBlock, composeMail, entry, footnote, paragraph, quotation } from './mail-blocks.js';

/** Mails to operators are in English, like everything that is for them. */
const locale = 'en';

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

/** Names the recipients of a page that are not sent to any more. */
export function composeSuspensionMail(
  to: string,
  page: SenderPage & { id: string },
  suspended: readonly SuspendedRecipient[],
) {
  const count = suspended.length === 1 ? '1 recipient is' : `${suspended.length} recipients are`;
  const subject = `${count} suspended: ${page.name}`;
  return composeWarning(to, page, {
    subject,
    preview: suspended.map(({ name }) => name).join(', '),
    body: [
      paragraph(
        'Their servers rejected three messages in a row because the recipient does not exist, or a webhook did not ' +
          'accept a message for 75 hours. Nothing is sent to them until the subscription is confirmed again, the ' +
          'channel is configured again, or you lift the suspension:',
      ),
      ...suspended.map(({ name, response }) => entry(name, response)),
    ],
    footer: listMutations(page.id, suspended).map(footnote),
  });
}

const listMutations = (pageId: string, suspended: readonly SuspendedRecipient[]): string[] => [
  ...suspended.flatMap(({ webhookId }) =>
    webhookId === null ? [] : [`mutation { resumeWebhook(id: "${webhookId}") { page { id } } }`],
  ),
  ...(suspended.some(({ webhookId }) => webhookId === null)
    ? [`mutation { liftSuspension(pageId: "${pageId}", input: { channel: ... }) { page { id } } }`]
    : []),
];

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
  returned ? `${returned} of ${sent + waiting + returned} bounced` : `${waiting} of ${sent + waiting} wait`;

export const describeFailingChannel = (channel: FailingChannel): string =>
  `${channel.label} is refused: ${channel.response} · ${countUnsent(channel)}`;

export function composeChannelFailureMail(to: string, page: SenderPage, channel: FailingChannel) {
  const { label, response, returned } = channel;
  const subject = `${label} is refused on ${page.name}: ${countUnsent(channel)}`;
  return composeWarning(to, page, {
    subject,
    preview: response,
    body: [
      paragraph('The server refuses messages for a reason that is not the recipient’s. Its last answer:'),
      quotation(response),
      paragraph(
        returned
          ? 'Nobody is suspended for it. The mail server had accepted the messages, so they are not sent again by ' +
              'themselves. When the cause is mended, resend the dead deliveries with the reason CHANNEL_FAILED.'
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
      entry(draft.subject, draft.error),
      buttonWithUrl('Open the draft', draft.url),
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
  /** "312 by e-mail"; empty where nobody is notified. */
  audience: readonly string[];
  /** What the publisher may overlook, such as an open notice about the same components. */
  warnings: readonly string[];
  /** To which it can be added as an update in place of a new notice. */
  openNotices: readonly { subject: string; url: string }[];
  url: string;
}

const audiences = new Intl.ListFormat('en');

/** Has the mail that subscribers would get, word by word, and the link to publish just that. */
export function composeAlertMail(to: string, page: SenderPage, draft: AlertDraft) {
  const { source, mail, problem, audience, warnings, openNotices, url } = draft;
  const subject = `Publish it? ${draft.subject}`;
  const who = audience.length ? `Would be notified: ${audiences.format(audience)}.` : 'Nobody would be notified.';
  return composeWarning(to, page, {
    subject,
    preview: mail?.text ?? problem ?? who,
    body: [
      paragraph(`${source} has sent an alert, of which a draft was made. Nothing is published yet.`),
      ...warnings.map(paragraph),
      ...(mail
        ? [
            paragraph(`${who} This is the e-mail that subscribers would get:`),
            quotation(`${mail.subject}

${mail.text.trim()}`),
          ]
        : [paragraph(problem!)]),
      buttonWithUrl('Review and publish', url),
      ...openNotices.flatMap(({ subject: open, url: address }) => [
        paragraph(`Or add it to the open notice "${open}", as an update:`),
        buttonWithUrl('Add to the open notice', address),
      ]),
    ],
    footer: [footnote('The console publishes what it shows there, and says if it is not what this e-mail has.')],
  });
}
