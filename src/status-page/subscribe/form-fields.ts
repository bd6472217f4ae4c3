import type { Way } from '../../subscribers/subscription-request.service.js';
import type { Canvas } from '../html/render-context.js';
import { html, type Markup, type Value } from '../html/html.js';

/** What is wrong with one field of a form. */
export interface Problem {
  /** The id of the field, so that the summary leads there. */
  field: string;
  key: 'problem.email' | 'problem.phone' | 'problem.kinds' | 'problem.components' | 'problem.code';
}

/** Numbers and names that are kept for examples. */
const examples = { 'problem.email': 'name@example.com', 'problem.phone': '+44 7700 900123' } as const;

export function wordsOf({ texts }: Canvas, { key }: Problem): string {
  return key === 'problem.email' || key === 'problem.phone' ? texts.t(key, { example: examples[key] }) : texts.t(key);
}

/** Read aloud first, and each a way to the field it is about. */
export function summaryOf(canvas: Canvas, problems: readonly Problem[]): Markup | null {
  if (!problems.length) return null;
  return html`
    <div class="problems" id="problems" role="alert" tabindex="-1" autofocus>
      <h2>${canvas.texts.t('problem.title')}</h2>
      <ul>${problems.map(problem => html`<li><a href="#${problem.field}">${wordsOf(canvas, problem)}</a></li>`)}</ul>
    </div>`;
}

interface TextField {
  name: string;
  type: 'email' | 'tel' | 'text';
  label: string;
  hint?: string;
  value?: string;
  /** More attributes. */
  more?: Markup;
}

export function textField(
  canvas: Canvas,
  { name, type, label, hint, value, more }: TextField,
  problems: readonly Problem[] = [],
): Markup {
  const problem = problems.find(({ field }) => field === name);
  const described = [hint && `${name}-hint`, problem && `${name}-wrong`].filter(Boolean).join(' ');
  return html`
    <p class="field">
      <label for="${name}">${label}</label>
      ${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
      ${problem && html`<span class="wrong" id="${name}-wrong">${wordsOf(canvas, problem)}</span>`}
      <input id="${name}" name="${name}" type="${type}" dir="ltr" required${more}${value && html` value="${value}"`}${described && html` aria-describedby="${described}"`}${problem && html` aria-invalid="true"`}>
    </p>`;
}

/** An e-mail address, or a phone. */
export function addressField(canvas: Canvas, way: Way, value: string, problems: readonly Problem[]): Markup {
  const { texts } = canvas;
  return way === 'email'
    ? textField(
        canvas,
        { name: 'email', type: 'email', label: texts.t('subscribe.email'), value, more: html` autocomplete="email"` },
        problems,
      )
    : textField(
        canvas,
        {
          ...{ name: 'phone', type: 'tel', label: texts.t('subscribe.phone'), value, more: html` autocomplete="tel"` },
          hint: texts.t('subscribe.phoneHint', { example: examples['problem.phone'] }),
        },
        problems,
      );
}

/** People do not see it, and are told not to fill it in where they do. */
export function trap({ texts }: Canvas): Markup {
  return html`<p class="unseen" aria-hidden="true"><label for="website">${texts.t('subscribe.leaveEmpty')}</label><input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></p>`;
}

export const isTrapped = (form: URLSearchParams): boolean => Boolean(form.get('website'));

/** Forms check nothing in the browser: what is wrong is said by us, in the language of the page, and the same to everybody. */
export function formOf(action: string, content: Value, button: string): Markup {
  return html`<form method="post" action="${action}" novalidate>${content}<p><button type="submit">${button}</button></p></form>`;
}
