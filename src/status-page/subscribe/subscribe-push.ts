import { readBrowserScript } from '../../core/browser-script.js';
import { loadPushKey } from '../../notifications/webhooks/push-key.js';
import { areBrowserKeys, endPush, signUpPush } from '../../notifications/webhooks/push-subscription.service.js';
import { buildLinkPath } from '../../subscribers/signed-link.js';
import type { Choices } from '../../subscribers/sign-up.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { renderRedirect } from '../routing/responses.js';
import { html } from '../html/html.js';
import { parseChoices, renderChoicesFields } from './choices.js';
import { renderContactMethods } from './contact-methods.js';
import { countSubscribeRequest } from './count-request.js';
import { type FieldError, isHoneypotFilled, renderForm, renderHiddenField, renderHoneypot } from './form-fields.js';
import { renderFormPage, renderMessagePage, renderTooManyRequests } from './form-page.js';
import { parseUrl } from './parse-url.js';
import type { SubscribeDependencies, SubscribeRequest } from './subscribe-request.js';

const script = readBrowserScript('push');

/** `subscribe?by=push`: its script asks the browser for an endpoint and its keys, and puts them into the form. */
export async function handlePushSubscription(
  request: SubscribeRequest,
  deps: SubscribeDependencies,
  preselected: Choices,
): Promise<RenderedResponse> {
  const { form, method, context } = request;
  const { database, settings, linkKey } = deps;
  const pageId = context.view.page.id;
  if (method === 'GET') return renderPushForm(request, deps, preselected, []);
  // Any host may be a push service: each browser names its own.
  const url = parseUrl(form.get('endpoint') ?? '', settings.allowPrivateTargets)?.href;
  if (url && form.has('end')) {
    await endPush(database, linkKey, pageId, url);
    return renderMessagePage(request, context.translator.t('unsubscribe.done'), null);
  }
  const { choices, errors } = parseChoices(form, context.view);
  const p256dh = form.get('p256dh') ?? '';
  const auth = form.get('auth') ?? '';
  if (errors.length || !url || !areBrowserKeys(p256dh, auth) || isHoneypotFilled(form))
    return renderPushForm(request, deps, choices, errors, 422);
  if (!(await countSubscribeRequest(request, deps, { method: 'push', recipient: url })))
    return renderTooManyRequests(request);
  const link = await signUpPush(database, settings, linkKey, pageId, { url, p256dh, auth, ...choices });
  return link ? renderRedirect(303, context.urlFor(buildLinkPath(linkKey, link))) : renderTooManyRequests(request);
}

async function renderPushForm(
  request: SubscribeRequest,
  { database, settings }: SubscribeDependencies,
  choices: Choices,
  errors: FieldError[],
  status = 200,
): Promise<RenderedResponse> {
  const { context } = request;
  const { urlFor, view } = context;
  const { t } = context.translator;
  const { publicKey } = await loadPushKey(database.query, settings);
  const by = html`${renderHiddenField('by', 'push')}<input type="hidden" name="endpoint">`;
  const fields = [
    by,
    html`<input type="hidden" name="p256dh"><input type="hidden" name="auth">`,
    html`<p>${t('subscribe.pushText', { page: view.page.name })}</p>`,
    // Shown until the script has found that the browser can do it.
    html`
      <p class="hint" id="push" role="status" data-worker="${view.mount.path}push-worker.js" data-key="${publicKey}">
        ${t('subscribe.pushBlocked')}</p>`,
    renderChoicesFields(context, choices, errors),
    renderHoneypot(context),
  ];
  const end = [by, renderHiddenField('end', '1')];
  return renderFormPage(request, {
    title: t('subscribe.title'),
    errors,
    main: html`
      ${renderContactMethods(request, 'push')}
      <div id="push-end" hidden>
        <p class="done">${t('subscribe.pushOn', { page: view.page.name })}</p>
        ${renderForm(urlFor('subscribe'), end, t('mail.unsubscribe'))}
      </div>
      ${renderForm(urlFor('subscribe'), fields, t('subscribe.button'))}`,
    script,
    status,
  });
}
