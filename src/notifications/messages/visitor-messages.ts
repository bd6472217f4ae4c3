import type { Translator } from '../../i18n/translator.js';
import {
  buttonWithUrl,
  code as codeBlock,
  composeMail,
  footnote,
  type MailSender,
  paragraph,
  senderLink,
} from './mail-blocks.js';

/** What a form of a page sends. It has no text of the visitor, who could send it to others by the form. */
export interface VisitorRequest {
  to: string;
  page: MailSender;
  translator: Translator;
}

/** The link that confirms a new subscription. */
export function composeConfirmationMail(request: VisitorRequest, url: string) {
  const { t } = request.translator;
  const page = request.page.name;
  return composeLinkMail(request, {
    subject: t('subscribe.mailSubject', { page }),
    text: t('subscribe.mailText', { page }),
    button: buttonWithUrl(t('subscribe.confirm'), url),
    footer: [footnote(t('subscribe.mailIgnore'))],
  });
}

/** The link by which a subscriber changes or ends a subscription. */
export function composePreferencesMail(request: VisitorRequest, url: string) {
  const { t } = request.translator;
  const page = request.page.name;
  return composeLinkMail(request, {
    subject: `${t('preferences.title')}: ${page}`,
    text: t('preferences.mailText', { page }),
    button: buttonWithUrl(t('preferences.change'), url),
    footer: [],
  });
}

/** Says that a webhook has failed, with the link by which its subscriber has it called again. */
export function composeWebhookFailureMail(request: VisitorRequest, host: string, url: string) {
  const { t } = request.translator;
  const page = request.page.name;
  return composeLinkMail(request, {
    subject: t('subscribe.webhookStopped', { address: host }),
    text: t('subscribe.webhookFailed', { address: host, page }),
    button: buttonWithUrl(t('preferences.change'), url),
    footer: [],
  });
}

type Block = ReturnType<typeof footnote>;

function composeLinkMail(
  { to, page, translator }: VisitorRequest,
  { subject, text, button, footer }: { subject: string; text: string; button: Block; footer: Block[] },
) {
  return composeMail({
    to,
    sender: page,
    translator,
    subject,
    heading: subject,
    preview: text,
    body: [paragraph(text), button],
    footer: [...footer, senderLink(page)],
  });
}

/** The code by which a visitor sees a private page. */
export function composeAccessMail({ to, page, translator }: VisitorRequest, code: string) {
  const { t } = translator;
  const sentence = t('subscribe.smsText', { code, page: page.name });
  return composeMail({
    to,
    sender: page,
    translator,
    subject: sentence,
    preview: sentence,
    // In the plain text the sentence has it.
    body: [paragraph(sentence, 0), { ...codeBlock(code), renderText: () => '' }],
    footer: [footnote(t('subscribe.mailIgnore'))],
  });
}

/** The code that confirms the phone number of a new subscription. */
export const composeCodeSms = ({ to, page, translator }: VisitorRequest, code: string) => ({
  to,
  text: translator.t('subscribe.smsText', { code, page: page.name }),
});
