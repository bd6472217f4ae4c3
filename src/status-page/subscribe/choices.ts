import { treeOrder } from '../view/tree-order.js';
import { type NoticeType, noticeTypes } from '../../notices/notice.states.js';
import type { Choices } from '../../subscribers/sign-up.service.js';
import type { ComponentView, PageView } from '../view/view.js';
import type { Canvas } from '../html/render-context.js';
import { html, type Markup } from '../html/html.js';
import { type Problem, wordsOf } from './form-fields.js';

/** Everything, now and later: what a form asks for that has no choices in it, as themes write them. */
export const everything: Choices = { kinds: noticeTypes, componentIds: [] };

/** What a form chose. One that shows the choices says so by a field, since what is not ticked is not sent. */
export function readChoices(
  form: URLSearchParams,
  { componentsById }: PageView,
): { choices: Choices; problems: Problem[] } {
  if (!form.has('choices')) return { choices: everything, problems: [] };
  const problems: Problem[] = [];
  const kinds = noticeTypes.filter(type => form.getAll('kinds').includes(type));
  if (!kinds.length) problems.push({ field: 'kinds', key: 'problem.kinds' });
  const asked = [...new Set(form.getAll('components'))];
  const componentIds = asked
    .map(id => (/^[1-9]\d{0,9}$/.test(id) ? Number(id) : 0))
    .filter(id => componentsById.has(id));
  // To go on with those that are left would make "all" of a choice of one.
  if (componentIds.length < asked.length) problems.push({ field: 'components', key: 'problem.components' });
  return { choices: { kinds, componentIds }, problems };
}

export function choicesFields(canvas: Canvas, { kinds, componentIds }: Choices, problems: readonly Problem[]): Markup {
  return html`<input type="hidden" name="choices" value="1">${kindsField(canvas, kinds, problems)}${componentsField(canvas, new Set(componentIds), problems)}`;
}

function kindsField(canvas: Canvas, chosen: readonly NoticeType[], problems: readonly Problem[]): Markup {
  const { texts } = canvas;
  const problem = problems.find(({ field }) => field === 'kinds');
  return html`
    <fieldset class="choices" id="kinds" tabindex="-1"${problem && html` aria-describedby="kinds-wrong"`}>
      <legend>${texts.t('subscribe.kinds')}</legend>
      ${problem && html`<span class="wrong" id="kinds-wrong">${wordsOf(canvas, problem)}</span>`}
      ${noticeTypes.map(type => box('kinds', type, chosen.includes(type), html`<span>${texts.t(`state.${type}`)}</span>`))}
    </fieldset>`;
}

function componentsField(canvas: Canvas, chosen: ReadonlySet<number>, problems: readonly Problem[]): Markup | null {
  const { view, texts } = canvas;
  if (!view.components.length) return null;
  const problem = problems.find(({ field }) => field === 'components');
  return html`
    <fieldset class="choices" id="components" tabindex="-1" aria-describedby="components-hint${problem && ' components-wrong'}">
      <legend>${texts.t('components.title')}</legend>
      <p class="hint" id="components-hint">${texts.t('subscribe.componentsHint')}</p>
      ${problem && html`<span class="wrong" id="components-wrong">${wordsOf(canvas, problem)}</span>`}
      <ul>${view.components.map(component => branch(canvas, component, chosen))}</ul>
    </fieldset>`;
}

/** Lists inside each other on the screen; what is deeper stands in the last of them. */
const levels = 3;

function branch(canvas: Canvas, component: ComponentView, chosen: ReadonlySet<number>): Markup {
  const { own, texts } = canvas;
  const { id, name, children, depth } = component;
  const itself = box('components', String(id), chosen.has(id), html`<span${own}>${name}</span>`);
  if (!children.length) return html`<li>${itself}</li>`;
  const below = treeOrder(component.children);
  const parts =
    depth + 1 < levels
      ? children.map(child => branch(canvas, child, chosen))
      : below.map(
          ({ id: deep, name: of }) =>
            html`<li>${box('components', String(deep), chosen.has(deep), html`<span${own}>${of}</span>`)}</li>`,
        );
  return html`
    <li>${itself}
      <details${below.some(({ id: part }) => chosen.has(part)) && html` open=""`}>
        <summary>${texts.t('subscribe.parts', { name })}</summary>
        <ul>${parts}</ul>
      </details>
    </li>`;
}

function box(name: string, value: string, isChosen: boolean, label: Markup): Markup {
  return html`<label><input type="checkbox" name="${name}" value="${value}"${isChosen && html` checked`}>${label}</label>`;
}
