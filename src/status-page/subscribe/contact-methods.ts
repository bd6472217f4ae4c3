import { listMessageMethods, methodLabels } from '../html/header.js';
import { html, type Markup } from '../html/html.js';
import { renderIcon } from '../html/icons.js';
import type { SubscribeRequest } from './subscribe-request.js';
import { isWebhookMethod, listWebhookMethods, webhookMethods } from './webhook-methods.js';

const icons = {
  email: 'envelope',
  sms: 'phone',
  push: 'bell',
  slack: 'speech',
  teams: 'speech',
  discord: 'speech',
  webhook: 'braces',
} as const;

/** Links between the forms: each way to subscribe has its own form, with the fields it needs. */
export function renderContactMethods(
  { context, path, parameters }: SubscribeRequest,
  selected: string,
  hasWebhooks = true,
): Markup | null {
  const { translator, urlFor, view } = context;
  const methods = hasWebhooks
    ? [...listMessageMethods(view), ...listWebhookMethods(view)]
    : (view.page.subscriptionOptions ?? []);
  if (methods.length < 2) return null;
  return html`
    <nav class="ways" aria-label="${translator.t('subscribe.title')}">
      ${methods.map(method => {
        const components = parameters.get('components');
        const query = { by: method, ...(components && { components }) };
        const current = method === selected && html` aria-current="page"`;
        const label = isWebhookMethod(method) ? webhookMethods[method] : translator.t(methodLabels[method]);
        return html`<a href="${urlFor(path, query)}"${current}>${renderIcon(icons[method])}${label}</a>`;
      })}
    </nav>`;
}
