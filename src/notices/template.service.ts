import { applyFields, type FieldRule, isBlank } from '../core/validation.js';
import { findComponents } from '../components/component.service.js';
import type { Unit, Writer } from '../records/writer.js';
import { validationMessages } from '../core/errors.js';
import { Page } from '../pages/page.entity.js';
import { createTemplateId } from '../core/ids.js';
import { NoticeTemplate } from './template.entity.js';
import type { CreateNoticeTemplate, UpdateNoticeTemplate } from './template.inputs.js';

const rules: { [field in keyof NoticeTemplate]?: FieldRule } = {
  name: { required: true, maximumLength: 255 },
  subject: { maximumLength: 255 },
  initialComment: { maximumLength: 65_535 },
};

export function createNoticeTemplate(write: Writer, pageId: string, input: CreateNoticeTemplate): Promise<string> {
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
  input: UpdateNoticeTemplate,
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

async function applyInput(
  unit: Unit,
  template: NoticeTemplate,
  { content, ...input }: UpdateNoticeTemplate,
  isNew: boolean,
): Promise<void> {
  // `initialComment` takes precedence over `content`, its earlier name, unless it is blank or unchanged:
  // existing clients send every field, blank or as they have read it.
  const isEcho = !isBlank(content) && input.initialComment === template.initialComment;
  const comment = content !== undefined && (isBlank(input.initialComment) || isEcho) ? { initialComment: content } : {};
  applyFields(template, { ...input, ...comment }, rules, unit.validation, isNew);
  if (input.componentId !== undefined) {
    const components = await findComponents(
      unit.em,
      template.page.id,
      isBlank(input.componentId) ? [] : [input.componentId!],
    );
    if (!components) unit.validation.addError('componentId', validationMessages.invalid);
    else if (components[0] !== template.component) template.component = components[0] ?? null;
  }
  unit.validation.throwIfInvalid();
}
