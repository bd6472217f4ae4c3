import type { ContactMethod } from '../../subscribers/subscription-request.service.js';
import type { RenderContext } from '../html/render-context.js';
import { html, type Markup, type TemplateValue } from '../html/html.js';

/** A validation error of one field. */
export interface FieldError {
  /** The id of the field, so that the summary can link to it. */
  field: string;
  key:
    | 'problem.email'
    | 'problem.phone'
    | 'problem.url'
    | 'problem.kinds'
    | 'problem.components'
    | 'problem.noComponents'
    | 'problem.code'
    | 'problem.password';
}

/** Addresses reserved for examples. */
const examples = { 'problem.email': 'name@example.com', 'problem.phone': '+44 7700 900123' } as const;

export function formatFieldError({ translator }: RenderContext, { key }: FieldError): string {
  return key === 'problem.email' || key === 'problem.phone'
    ? translator.t(key, { example: examples[key] })
    : translator.t(key);
}

/** All errors, each a link to its field. Screen readers announce it first. */
export function renderErrorSummary(context: RenderContext, errors: readonly FieldError[]): Markup | null {
  if (!errors.length) return null;
  return html`
    <div class="problems" id="problems" role="alert" tabindex="-1" autofocus>
      <h2>${context.translator.t('problem.title')}</h2>
      <ul>${errors.map(error => html`<li><a href="#${error.field}">${formatFieldError(context, error)}</a></li>`)}</ul>
    </div>`;
}

interface TextField {
  name: string;
  type: 'email' | 'tel' | 'text' | 'password' | 'url';
  label: string;
  hint?: string | Markup;
  value?: string;
  /** Additional attributes of the input. */
  attributes?: Markup;
}

export function renderTextField(
  context: RenderContext,
  { name, type, label, hint, value, attributes }: TextField,
  errors: readonly FieldError[] = [],
): Markup {
  const error = errors.find(({ field }) => field === name);
  const describedBy = [hint && `${name}-hint`, error && `${name}-wrong`].filter(Boolean).join(' ');
  const stateAttributes = [
    value && html` value="${value}"`,
    describedBy && html` aria-describedby="${describedBy}"`,
    error && html` aria-invalid="true"`,
  ];
  return html`
    <p class="field">
      <label for="${name}">${label}</label>
      ${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
      ${error && html`<span class="wrong" id="${name}-wrong">${formatFieldError(context, error)}</span>`}
      <input id="${name}" name="${name}" type="${type}" dir="ltr" required${[attributes, ...stateAttributes]}>
    </p>`;
}

/** The field for an e-mail address or a phone number. */
export function renderAddressField(
  context: RenderContext,
  contactMethod: ContactMethod,
  value: string,
  errors: readonly FieldError[],
): Markup {
  const { translator } = context;
  if (contactMethod === 'email') return renderEmailField(context, { value }, errors);
  const field: TextField = {
    name: 'phone',
    type: 'tel',
    label: translator.t('subscribe.phone'),
    value,
    attributes: html` autocomplete="tel"`,
    hint: translator.t('subscribe.phoneHint', { example: examples['problem.phone'] }),
  };
  return renderTextField(context, field, errors);
}

export function renderEmailField(
  context: RenderContext,
  { label = context.translator.t('subscribe.email'), ...field }: Partial<Pick<TextField, 'label' | 'value' | 'hint'>>,
  errors: readonly FieldError[],
): Markup {
  const attributes = html` autocomplete="email"`;
  return renderTextField(context, { name: 'email', type: 'email', label, attributes, ...field }, errors);
}

/** The field for a code that was sent by SMS or mail. */
export function renderCodeField(context: RenderContext, errors: readonly FieldError[]): Markup {
  const label = context.translator.t('subscribe.code');
  const attributes = html` autocomplete="one-time-code" inputmode="numeric" maxlength="20"`;
  return renderTextField(context, { name: 'code', type: 'text', label, attributes }, errors);
}

export const renderHiddenField = (name: string, value: string): Markup =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** A hidden field that bots fill in. Its label asks people with assistive technology to leave it empty. */
export function renderHoneypot({ translator }: RenderContext): Markup {
  return html`
    <p class="unseen" aria-hidden="true">
      <label for="website">${translator.t('subscribe.leaveEmpty')}</label>
      <input id="website" name="website" type="text" tabindex="-1" autocomplete="off">
    </p>`;
}

export const isHoneypotFilled = (form: URLSearchParams): boolean => Boolean(form.get('website'));

/** `novalidate`: the server reports errors in the language of the page, the same in every browser. */
export function renderForm(action: string, content: TemplateValue, button: string): Markup {
  return html`
    <form method="post" action="${action}" novalidate>
      ${content}
      <p><button type="submit">${button}</button></p>
    </form>`;
}
