import { readBrowserScript } from '../../core/browser-script.js';
import { Validation } from '../../core/validation.js';
import { parseTargetUrl } from '../../http/target-url.js';
import { loadPushKey } from '../../notifications/webhooks/push-key.js';
import { areBrowserKeys, endPush, signUpPush } from '../../notifications/webhooks/push-subscription.service.js';
import { buildLinkPath } from '../../subscribers/signed-link.js';
import type { Choices } from '../../subscribers/sign-up.service.js';
import type { RenderedResponse } from '../routing/public-route.js';
import { html } from '../html/html.js';
import { parseChoices, renderChoicesFields } from './choices.js';
import { renderContactMethods } from './contact-methods.js';
import { countSubscribeRequest } from './count-request.js';
import { type FieldError, isHoneypotFilled, renderErrorSummary, renderForm, renderHoneypot } from './form-fields.js';
import { redirect, renderFormPage, renderMessagePage, renderTooManyRequests } from './form-page.js';
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
  const url = parseEndpoint(form.get('endpoint') ?? '', settings.allowPrivateTargets);
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
  return link ? redirect(context.urlFor(buildLinkPath(linkKey, link))) : renderTooManyRequests(request);
}

/** Null unless it is allowed. Any host may be a push service: each browser names its own. */
function parseEndpoint(text: string, allowPrivateTargets: boolean): string | null {
  const validation = new Validation();
  const url = /\p{Cc}/u.test(text) ? null : parseTargetUrl(validation, text, allowPrivateTargets);
  return url && !Object.keys(validation.errors()).length ? url.href : null;
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
  const by = html`<input type="hidden" name="by" value="push"><input type="hidden" name="endpoint">`;
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
  const end = html`${by}<input type="hidden" name="end" value="1">`;
  return renderFormPage(request, {
    title: t('subscribe.title'),
    main: html`
      ${renderErrorSummary(context, errors)}
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
