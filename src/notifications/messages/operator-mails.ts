import { defaultColours } from '../../branding/colour.js';
import { getTranslator } from '../../i18n/translator.js';
import { buttonWithUrl, code as codeBlock, composeMail, entry, footnote, paragraph } from './mail-blocks.js';

/** Mails to operators are in English, like everything that is for them. */
const locale = 'en';

/** The code of the sign-in. It contains nothing that the requester typed, and no link. */
export function composeSignInMail(to: string, code: string, origin: string) {
  const { host } = new URL(origin);
  return composeMail({
    ...{ to, translator: getTranslator(locale), sender: { name: 'All Clear', address: origin, brand: defaultColours } },
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
  response: string;
}

/** Names the recipients of a page that are not sent to any more. */
export function composeSuspensionMail(
  to: string,
  page: { id: string; name: string; address: string },
  suspended: readonly SuspendedRecipient[],
) {
  const count = suspended.length === 1 ? '1 recipient is' : `${suspended.length} recipients are`;
  const subject = `${count} suspended: ${page.name}`;
  return composeMail({
    ...{ to, translator: getTranslator(locale), tone: 'warn', sender: { ...page, brand: defaultColours } },
    ...{ subject, heading: subject, preview: suspended.map(({ name }) => name).join(', ') },
    body: [
      paragraph(
        'Their servers rejected three messages in a row because the recipient does not exist. Nothing is sent to ' +
          'them until the subscription is confirmed again, the channel is configured again, or you lift the ' +
          'suspension:',
      ),
      ...suspended.map(({ name, response }) => entry(name, response)),
    ],
    footer: [footnote(`mutation { liftSuspension(pageId: "${page.id}", input: { channel: ... }) { page { id } } }`)],
  });
}

/** Says why a draft was not published at its time. */
export function composeUnpublishedMail(
  to: string,
  page: { name: string; address: string },
  draft: { subject: string; error: string; url: string },
) {
  const subject = `Not published as scheduled: ${draft.subject}`;
  return composeMail({
    ...{ to, translator: getTranslator(locale), tone: 'warn', sender: { ...page, brand: defaultColours } },
    ...{ subject, heading: subject, preview: draft.error },
    body: [
      paragraph('A draft that you scheduled could not be published, and nobody was notified:'),
      entry(draft.subject, draft.error),
      buttonWithUrl('Open the draft', draft.url),
    ],
    footer: [footnote('Preview it again to publish or to schedule it.')],
  });
}
