import { applyFields, type FieldRule, isBlank, validateText } from '../../core/validation.js';
import { findComponents } from '../../components/find-components.js';
import type { Unit } from '../../records/unit.js';
import type { Writer } from '../../records/writer.js';
import { problems } from '../../core/problems.js';
import { Page } from '../../pages/page.entity.js';
import { pageRecordPath } from '../../pages/page-record-path.js';
import { createTemplateId } from '../../core/ids.js';
import { query } from '../../db/prepared-statements.js';
import { type NoticeState, type NoticeType, statesByType } from '../notice.states.js';
import { maxContentLength } from '../notice-text.rules.js';
import { NoticeTemplate } from './template.entity.js';

const rules: { [field in keyof NoticeTemplate]?: FieldRule } = {
  name: { required: true, maxLength: 255 },
  subject: { maxLength: 255 },
};

/** Fields that are undefined stay as they are. */
interface TemplateValues {
  name?: string | null;
  subject?: string | null;
  content?: string | null;
  type?: string | null;
  state?: string | null;
  componentIds?: string[] | null;
  /** One component. `componentIds` takes precedence. */
  componentId?: string | null;
  /** The name of the content in the interface, for errors. Default: content. */
  contentField?: string;
  /** The content by its earlier name in /v1. */
  fallbackContent?: string | null;
}

export function createNoticeTemplate(write: Writer, pageId: string, input: TemplateValues): Promise<string> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const template = unit.create(NoticeTemplate, { id: createTemplateId(), page, name: '' });
    await saveInput(unit, template, input, true);
    return template.id;
  });
}

export function updateNoticeTemplate(
  write: Writer,
  pageId: string,
  id: string,
  versions: number[] | null | undefined,
  input: TemplateValues,
): Promise<string> {
  return write.transaction(async unit => {
    const template = await unit.find<NoticeTemplate>(pageRecordPath(pageId, NoticeTemplate, id), versions);
    await saveInput(unit, template, input, false);
    return template.id;
  });
}

export function deleteNoticeTemplate(
  write: Writer,
  pageId: string,
  id: string,
  versions?: number[] | null,
): Promise<string> {
  return write.transaction(async unit => {
    unit.em.remove(await unit.find<NoticeTemplate>(pageRecordPath(pageId, NoticeTemplate, id), versions));
    await unit.save();
    return id;
  });
}

async function saveInput(unit: Unit, template: NoticeTemplate, input: TemplateValues, isNew: boolean): Promise<void> {
  applyFields(template, input, rules, unit.validation, isNew);
  setContent(unit, template, input);
  setTypeAndState(unit, template, input);
  const componentIds = await resolveComponents(unit, template, input);
  unit.validation.throwIfInvalid();
  const isChanged = componentIds && componentIds.join() !== (await loadComponentIds(unit, template)).join();
  if (isChanged) unit.touch(template);
  await unit.save();
  if (isChanged) await storeComponents(unit, template, componentIds);
}

function setTypeAndState(unit: Unit, template: NoticeTemplate, input: TemplateValues): void {
  if (input.type !== undefined) template.type = input.type as NoticeType | null;
  if (input.state !== undefined) template.state = input.state as NoticeState | null;
  const { type, state } = template;
  if (state === null) return;
  if (type === null) unit.validation.addError('state', problems.notApplicable('must be omitted without `type`'));
  else if (!statesByType[type].includes(state))
    unit.validation.addError(
      'state',
      type === 'general'
        ? problems.notApplicable('must be omitted for an announcement')
        : problems.notIncluded(statesByType[type]),
    );
}

/** The ids of the components that the input names; null if it names none and does not clear them. */
async function resolveComponents(
  unit: Unit,
  template: NoticeTemplate,
  { componentIds, componentId }: TemplateValues,
): Promise<number[] | null> {
  if (componentIds === undefined && componentId === undefined) return null;
  const ids = componentIds ?? (isBlank(componentId) ? [] : [componentId!]);
  const { components, problems: missing } = await findComponents(unit.em, template.page.id, ids);
  if (missing.length && componentIds) unit.validation.addErrors({ componentIds: missing });
  else if (missing.length) unit.validation.addError('componentId', problems.componentNotFound());
  const only = components.length === 1 ? components[0]! : null;
  if (only !== template.component) template.component = only;
  return components.map(({ id }) => id);
}

/** By id, as `findComponents` returns them. */
const loadComponentIds = async ({ em }: Unit, { id }: NoticeTemplate): Promise<number[]> =>
  (
    await query<{ id: number }>(
      em,
      'select component_id as id from notice_template_component where template_id = $1 order by 1',
      [id],
    )
  ).map(row => row.id);

async function storeComponents({ em }: Unit, { id }: NoticeTemplate, componentIds: readonly number[]): Promise<void> {
  await query(em, 'delete from notice_template_component where template_id = $1', [id]);
  await query(
    em,
    'insert into notice_template_component (template_id, component_id) select $1, unnest($2::integer[])',
    [id, componentIds],
  );
}

/** The values of a new notice, completed by those of a template. Refuses a template of another type. */
export async function applyTemplate<Values extends AppliedValues>(
  unit: Unit,
  page: Page,
  { templateId, ...values }: Values,
): Promise<Omit<Values, 'templateId'>> {
  if (templateId == null) return values;
  const template = await unit.find<NoticeTemplate>(pageRecordPath(page.id, NoticeTemplate, templateId));
  const type = values.type ?? template.type;
  if (template.type !== null && template.type !== type)
    unit.validation.addError(
      'templateId',
      problems.notApplicable(`must be the id of a template for notices of this type`),
    );
  const isOfType = template.type !== null && template.type === type;
  return {
    ...values,
    type,
    subject: values.subject ?? template.subject,
    content: values.content ?? template.content,
    state: values.state ?? (isOfType ? template.state : null),
    // Undefined where the input names components with their impact.
    componentIds:
      values.componentIds ??
      (values.affectedComponents ? undefined : (await loadComponentIds(unit, template)).map(String)),
  };
}

interface AppliedValues {
  templateId?: string | null;
  type?: string | null;
  subject?: string | null;
  content?: string | null;
  state?: string | null;
  componentIds?: string[] | null;
  affectedComponents?: readonly object[] | null;
}

function setContent(unit: Unit, template: NoticeTemplate, input: TemplateValues): void {
  const { content, contentField = 'content', fallbackContent } = input;
  // The content takes precedence over its earlier name, unless it is blank or unchanged: existing clients send every
  // field, blank or as they have read it.
  const isEcho = !isBlank(fallbackContent) && content === template.content;
  const text = fallbackContent !== undefined && (isBlank(content) || isEcho) ? fallbackContent : content;
  if (text === undefined) return;
  if (!isBlank(text)) validateText(unit.validation, contentField, text!, maxContentLength);
  template.content = isBlank(text) ? null : text!;
}
