import { flattenTree } from '../../components/component-tree.js';
import { type NoticeType, noticeTypes } from '../../notices/notice.states.js';
import type { Choices } from '../../subscribers/sign-up.service.js';
import type { ComponentView, PageView } from '../view/view.js';
import type { RenderContext } from '../html/render-context.js';
import { html, type Markup } from '../html/html.js';
import { type FieldError, formatFieldError, renderHiddenField } from './form-fields.js';

/** All kinds and components, including future ones: the choice of a form without these fields, as themes write them. */
export const allChoices: Choices = { kinds: noticeTypes, componentIds: [] };

/** Reads the choices of a form. A hidden field `choices` marks a form that shows them: browsers omit unticked boxes. */
export function parseChoices(
  form: URLSearchParams,
  { componentsById }: PageView,
): { choices: Choices; errors: FieldError[] } {
  if (!form.has('choices')) return { choices: allChoices, errors: [] };
  const errors: FieldError[] = [];
  const kinds = noticeTypes.filter(type => form.getAll('kinds').includes(type));
  if (!kinds.length) errors.push({ field: 'kinds', key: 'problem.kinds' });
  // A form without `scope` has the boxes alone, and none of them means all.
  const scope = form.get('scope');
  const requestedIds = scope === 'all' ? [] : [...new Set(form.getAll('components'))];
  const componentIds = requestedIds
    .map(id => (/^[1-9]\d{0,9}$/.test(id) ? Number(id) : 0))
    .filter(id => componentsById.has(id));
  // Dropping unknown components silently could empty the list, and an empty list means all.
  if (componentIds.length < requestedIds.length) errors.push({ field: 'components', key: 'problem.components' });
  if (scope === 'only' && !requestedIds.length) errors.push({ field: 'components', key: 'problem.noComponents' });
  return { choices: { kinds, componentIds }, errors };
}

/** What was chosen, in words. */
export function renderChoices(
  { view, translator, contentAttributes }: RenderContext,
  { kinds, componentIds }: Choices,
): Markup {
  const { t, formatList } = translator;
  const names = componentIds.flatMap(id => view.componentsById.get(id)?.name ?? []);
  return html`
    <ul class="chosen">
      <li>${formatList(kinds.map(kind => t(`kinds.${kind}`)))}</li>
      ${
        names.length
          ? html`<li${contentAttributes}>${formatList(names)}</li>`
          : html`<li>${t('history.allComponents')}</li>`
      }
    </ul>`;
}

export function renderChoicesFields(
  context: RenderContext,
  { kinds, componentIds }: Choices,
  errors: readonly FieldError[],
): Markup {
  return html`
    ${renderHiddenField('choices', '1')}
    ${renderKindsField(context, kinds, errors)}
    ${renderComponentsField(context, new Set(componentIds), errors)}`;
}

function renderKindsField(
  context: RenderContext,
  chosen: readonly NoticeType[],
  errors: readonly FieldError[],
): Markup {
  const { translator } = context;
  const error = errors.find(({ field }) => field === 'kinds');
  return html`
    <fieldset class="choices" id="kinds" tabindex="-1"${error && html` aria-describedby="kinds-wrong"`}>
      <legend>${translator.t('subscribe.kinds')}</legend>
      ${error && html`<span class="wrong" id="kinds-wrong">${formatFieldError(context, error)}</span>`}
      ${noticeTypes.map(type => {
        const label = html`<span>${translator.t(`kinds.${type}`)}</span>`;
        return renderBox('checkbox', 'kinds', type, chosen.includes(type), label);
      })}
    </fieldset>`;
}

function renderComponentsField(
  context: RenderContext,
  chosen: ReadonlySet<number>,
  errors: readonly FieldError[],
): Markup | null {
  const { view, translator } = context;
  if (!view.components.length) return null;
  const error = errors.find(({ field }) => field === 'components');
  const isOnly = chosen.size > 0 || Boolean(error);
  return html`
    <fieldset class="choices" id="components" tabindex="-1"${error && html` aria-describedby="components-wrong"`}>
      <legend>${translator.t('components.title')}</legend>
      ${renderBox('radio', 'scope', 'all', !isOnly, html`<span>${translator.t('subscribe.allComponents')}</span>`)}
      ${renderBox('radio', 'scope', 'only', isOnly, html`<span>${translator.t('subscribe.onlyThese')}</span>`)}
      ${error && html`<span class="wrong" id="components-wrong">${formatFieldError(context, error)}</span>`}
      <ul>${view.components.map(component => renderBranch(context, component, chosen))}</ul>
    </fieldset>`;
}

/** The depth of nested lists; deeper components are listed flat in the last one. */
const maxListDepth = 3;

function renderBranch(context: RenderContext, component: ComponentView, chosen: ReadonlySet<number>): Markup {
  const { name, children, depth } = component;
  const checkbox = renderComponentCheckbox(context, component, chosen);
  if (!children.length) return html`<li>${checkbox}</li>`;
  const descendants = flattenTree(children);
  const items =
    depth + 1 < maxListDepth
      ? children.map(child => renderBranch(context, child, chosen))
      : descendants.map(descendant => html`<li>${renderComponentCheckbox(context, descendant, chosen)}</li>`);
  return html`
    <li>${checkbox}
      <details class="fold"${descendants.some(({ id }) => chosen.has(id)) && html` open=""`}>
        <summary>${context.translator.t('subscribe.parts', { name })}</summary>
        <ul>${items}</ul>
      </details>
    </li>`;
}

function renderComponentCheckbox(
  { contentAttributes }: RenderContext,
  { id, name }: ComponentView,
  chosen: ReadonlySet<number>,
): Markup {
  const label = html`<span${contentAttributes}>${name}</span>`;
  return renderBox('checkbox', 'components', String(id), chosen.has(id), label);
}

function renderBox(type: 'checkbox' | 'radio', name: string, value: string, isChosen: boolean, label: Markup): Markup {
  const checked = isChosen && html` checked`;
  return html`<label><input type="${type}" name="${name}" value="${value}"${checked}>${label}</label>`;
}
