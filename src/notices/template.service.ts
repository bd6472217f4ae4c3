import { applyFields, type FieldRule, isBlank, validateText } from '../core/validation.js';
import { findComponents } from '../components/component.service.js';
import type { Unit, Writer } from '../records/writer.js';
import { problems } from '../core/problems.js';
import { Page } from '../pages/page.entity.js';
import { createTemplateId } from '../core/ids.js';
import { NoticeTemplate } from './template.entity.js';

const rules: { [field in keyof NoticeTemplate]?: FieldRule } = {
  name: { required: true, maximumLength: 255 },
  subject: { maximumLength: 255 },
};

const maxContent = 65_535;

/** Fields that are undefined stay as they are. */
export interface TemplateValues {
  name?: string | null;
  subject?: string | null;
  content?: string | null;
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
    await applyInput(unit, template, input, true);
    await unit.save();
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
    const template = await unit.find<NoticeTemplate>(templatePath(pageId, id), versions);
    await applyInput(unit, template, input, false);
    await unit.save();
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
    unit.em.remove(await unit.find<NoticeTemplate>(templatePath(pageId, id), versions));
    await unit.save();
    return id;
  });
}

const templatePath = (pageId: string, id: string): [typeof Page, string][] => [
  [Page, pageId],
  [NoticeTemplate as never, id],
];

async function applyInput(unit: Unit, template: NoticeTemplate, input: TemplateValues, isNew: boolean): Promise<void> {
  applyFields(template, input, rules, unit.validation, isNew);
  setContent(unit, template, input);
  if (input.componentId !== undefined) {
    const { components, problems: missing } = await findComponents(
      unit.em,
      template.page.id,
      isBlank(input.componentId) ? [] : [input.componentId!],
    );
    if (missing.length) unit.validation.addError('componentId', problems.componentNotFound());
    else if (components[0] !== template.component) template.component = components[0] ?? null;
  }
  unit.validation.throwIfInvalid();
}

function setContent(unit: Unit, template: NoticeTemplate, input: TemplateValues): void {
  const { content, contentField = 'content', fallbackContent } = input;
  // The content takes precedence over its earlier name, unless it is blank or unchanged: existing clients send every
  // field, blank or as they have read it.
  const isEcho = !isBlank(fallbackContent) && content === template.content;
  const given = fallbackContent !== undefined && (isBlank(content) || isEcho) ? fallbackContent : content;
  if (given === undefined) return;
  if (!isBlank(given)) validateText(unit.validation, contentField, given!, maxContent);
  template.content = isBlank(given) ? null : given!;
}
