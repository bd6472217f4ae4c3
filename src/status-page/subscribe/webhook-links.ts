import { type Link, verifyLink } from '../../subscribers/signed-link.js';
import {
  confirmWebhook,
  endWebhook,
  loadSubscribedWebhook,
  saveWebhookChoices,
  type SubscribedWebhook,
} from '../../notifications/webhooks/subscription.service.js';
import { push } from '../../notifications/channels/push.js';
import { isChat } from '../../notifications/channels/webhook-formats.js';
import type { Choices } from '../../subscribers/sign-up.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { html } from '../html/html.js';
import { parseChoices, renderChoices } from './choices.js';
import { renderConfirmForm } from './confirm.js';
import { type FieldError, renderForm, renderHiddenField } from './form-fields.js';
import { paragraph, renderInvalidLink, renderMessagePage } from './form-page.js';
import { createLinkUrl } from './link-url.js';
import { renderChoicesForm } from './preferences.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';

/** `webhook/confirm/<token>` confirms one by a button; `webhook/<token>` shows its choices, and ends it. */
export async function handleWebhook(request: SubscribeRequest, deps: SubscribeDependencies): Promise<RenderedResponse> {
  const { token, context } = request;
  const pageId = context.view.page.id;
  const confirmation = /^confirm\/(.*)$/.exec(token)?.[1];
  const link = confirmation
    ? verifyLink(deps.linkKey, 'confirm-webhook', pageId, confirmation)
    : verifyLink(deps.linkKey, 'webhook', pageId, token);
  const webhook = link && (await loadSubscribedWebhook(deps.database, link));
  if (!webhook?.isValid || (!confirmation && !webhook.isActive)) return renderInvalidLink(request);
  return confirmation
    ? handleConfirmation(request, deps, link!, webhook)
    : handleChoices(request, deps, link!, webhook);
}

async function handleConfirmation(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
  link: Link,
  webhook: SubscribedWebhook,
): Promise<RenderedResponse> {
  const { context, method } = request;
  const { t } = context.translator;
  if (method === 'GET') return renderConfirmForm(request, webhook.host, webhook);
  const secret = await confirmWebhook(deps.database, deps.settings, link);
  if (!secret) return renderInvalidLink(request);
  const { pageId, subscriberId } = link;
  const choices = createLinkUrl(context, deps.linkKey, { purpose: 'webhook', pageId, subscriberId });
  return renderMessagePage(request, t('subscribe.confirmed'), [
    paragraph(t('subscribe.confirmedText', { address: webhook.host, page: context.view.page.name })),
    renderChoices(context, webhook),
    !isBrowser(webhook) &&
      !isChat(webhook.format) &&
      html`<p>${t('subscribe.webhookSecret')}</p><p><code>${secret}</code></p>`,
    html`<p><a href="${choices}">${t('preferences.change')}</a></p>`,
  ]);
}

async function handleChoices(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
  link: Link,
  webhook: SubscribedWebhook,
): Promise<RenderedResponse> {
  const { context, form, method } = request;
  const { t } = context.translator;
  const names = { address: webhook.host, page: context.view.page.name };
  if (method === 'GET') return renderWebhookChoices(request, webhook, webhook, []);
  if (form.has('end')) {
    await endWebhook(deps.database, link);
    const text = isBrowser(webhook) ? null : paragraph(t('unsubscribe.doneText', names));
    return renderMessagePage(request, t('unsubscribe.done'), text);
  }
  const { choices, errors } = parseChoices(form, context.view);
  if (!errors.length) await saveWebhookChoices(deps.database, link, choices);
  return renderWebhookChoices(request, webhook, choices, errors, !errors.length);
}

const isBrowser = ({ format }: SubscribedWebhook) => format === push.name;

function renderWebhookChoices(
  request: SubscribeRequest,
  webhook: SubscribedWebhook,
  choices: Choices,
  errors: FieldError[],
  isSaved = false,
): RenderedResponse {
  const { context, path } = request;
  const { t } = context.translator;
  const names = { address: webhook.host, page: context.view.page.name };
  const isSuspended = webhook.isSuspended && !isSaved;
  const isOn = isBrowser(webhook) ? 'subscribe.pushOn' : 'subscribe.confirmedText';
  return renderChoicesForm(request, {
    text: t(isSuspended ? 'subscribe.webhookFailed' : isOn, names),
    choices,
    errors,
    isSaved,
    more: renderForm(context.urlFor(path), renderHiddenField('end', '1'), t('mail.unsubscribe')),
  });
}
