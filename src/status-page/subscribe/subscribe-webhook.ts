import { parseEmailAddress } from '../../core/address.js';
import type { Choices } from '../../subscribers/sign-up.service.js';
import { chatHosts, isChat } from '../../notifications/channels/webhook-formats.js';
import { signUpWebhook } from '../../notifications/webhooks/subscription.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { html } from '../html/html.js';
import { parseChoices, renderChoicesFields } from './choices.js';
import {
  type FieldError,
  isHoneypotFilled,
  renderEmailField,
  renderForm,
  renderHiddenField,
  renderHoneypot,
  renderTextField,
} from './form-fields.js';
import { renderFormPage } from './form-page.js';
import { parseUrl } from './parse-url.js';
import { sendConfirmation } from './send-confirmation.js';
import { renderContactMethods } from './contact-methods.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';
import { webhookHelpUrls, type WebhookMethod, webhookMethods } from './webhook-methods.js';

/** What an address looks like: proper names, which no language translates. */
const examples: Record<WebhookMethod, string> = {
  slack: 'https://hooks.slack.com/services/…',
  teams: 'https://….webhook.office.com/…',
  discord: 'https://discord.com/api/webhooks/…',
  webhook: 'https://example.com/…',
};

/** `subscribe?by=webhook` and those of chats, by the incoming webhook of a channel. */
export async function handleWebhookSubscription(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
  by: WebhookMethod,
  preselected: Choices,
): Promise<RenderedResponse> {
  const { form, method, context } = request;
  if (method === 'GET') return renderWebhookForm(request, by, preselected, []);
  const { choices, errors } = parseChoices(form, context.view);
  const isChatChannel = by !== 'webhook';
  const contact = isChatChannel ? null : parseEmailAddress(form.get('email') ?? '');
  if (!isChatChannel && !contact) errors.unshift({ field: 'email', key: 'problem.email' });
  const url = parseWebhookUrl(form.get('url') ?? '', by, deps.settings.allowPrivateTargets);
  if (!url) errors.unshift({ field: 'url', key: 'problem.url' });
  if (errors.length || !url) return renderWebhookForm(request, by, choices, errors);
  const format = isChatChannel ? by : 'standard';
  const findLink = async () =>
    isHoneypotFilled(form)
      ? null
      : signUpWebhook(deps.database, deps.settings, deps.linkKey, context.view.page.id, {
          url,
          format,
          contact,
          ...choices,
        });
  return sendConfirmation(request, deps, {
    recipient: isChat(format)
      ? { contactMethod: 'webhook', address: url, format }
      : { contactMethod: 'email', address: contact! },
    messageKey: isChatChannel ? 'subscribe.linkPosted' : 'subscribe.mailSent',
    findLink,
  });
}

/**
 * Null unless it is allowed. That of a chat must be of its provider, since a message is posted there at once. A channel
 * is not a program, whose contact would confirm it in place of those who read it.
 */
function parseWebhookUrl(text: string, by: WebhookMethod, allowPrivateTargets: boolean): string | null {
  const url = parseUrl(text.trim(), allowPrivateTargets);
  if (!url) return null;
  // Both lead to the same place, and would be another webhook to the limits.
  url.hash = '';
  url.hostname = url.hostname.replace(/\.$/, '');
  const isOfChat = Object.values(chatHosts).some(hosts => hosts.test(url.hostname));
  if (by === 'webhook') return isOfChat ? null : url.href;
  // Neither takes part in the address of a channel there, and each other one would be another channel to the limits.
  if (by !== 'teams') url.search = '';
  return allowPrivateTargets || chatHosts[by].test(url.hostname) ? url.href : null;
}

function renderWebhookForm(
  request: SubscribeRequest,
  by: WebhookMethod,
  choices: Choices,
  errors: FieldError[],
): RenderedResponse {
  const { context, form } = request;
  const { t } = context.translator;
  const help = webhookHelpUrls[by];
  const helpText = t('subscribe.webhookHelp', { name: webhookMethods[by] });
  const url = renderTextField(
    context,
    {
      name: 'url',
      type: 'url',
      label: 'URL',
      hint: help && html`<a href="${help}" target="_blank" rel="noopener">${helpText}</a>`,
      value: form.get('url') ?? '',
      attributes: html` autocomplete="off" placeholder="${examples[by]}"`,
    },
    errors,
  );
  const contact = { value: form.get('email') ?? '', hint: t('subscribe.webhookContact') };
  const fields = [
    renderHiddenField('by', by),
    url,
    by === 'webhook' && renderEmailField(context, contact, errors),
    renderChoicesFields(context, choices, errors),
    renderHoneypot(context),
  ];
  return renderFormPage(request, {
    title: t('subscribe.title'),
    errors,
    main: html`
      ${renderContactMethods(request, by)}
      ${renderForm(context.urlFor('subscribe'), fields, t('subscribe.button'))}`,
  });
}
