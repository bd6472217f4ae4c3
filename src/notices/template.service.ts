import { applyFields, type FieldRule, isBlank } from '../core/validation.js';
import { componentsOf } from '../components/component.service.js';
import type { Unit, Writer } from '../records/writer.js';
import { text } from '../core/errors.js';
import { Page } from '../pages/page.entity.js';
import { templateId } from '../core/ids.js';
import { NoticeTemplate } from './template.entity.js';
import type { CreateNoticeTemplate, UpdateNoticeTemplate } from './template.inputs.js';

const rules: { [field in keyof NoticeTemplate]?: FieldRule } = {
  name: { required: true, longest: 255 },
  subject: { longest: 255 },
  initialComment: { longest: 65_535 },
};

export function createNoticeTemplate(write: Writer, pageId: string, input: CreateNoticeTemplate): Promise<string> {
  return write.transaction(async unit => {
    const page = await unit.find<Page>([[Page, pageId]]);
    const template = unit.create(NoticeTemplate, { id: templateId(), page, name: '' });
    await apply(unit, template, input, true);
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
    const template = await unit.find<NoticeTemplate>(at(pageId, id), versions);
    await apply(unit, template, input, false);
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
    unit.em.remove(await unit.find<NoticeTemplate>(at(pageId, id), versions));
    await unit.save();
    return id;
  });
}

const at = (pageId: string, id: string): [typeof Page, string][] => [
  [Page, pageId],
  [NoticeTemplate as never, id],
];

async function apply(
  unit: Unit,
  template: NoticeTemplate,
  { content, ...input }: UpdateNoticeTemplate,
  creating: boolean,
): Promise<void> {
  // Of the two names the newer goes before the older, unless it says nothing: clients in the field send every field, blank where they have nothing, or as they read it.
  const isEcho = !isBlank(content) && input.initialComment === template.initialComment;
  const comment = content !== undefined && (isBlank(input.initialComment) || isEcho) ? { initialComment: content } : {};
  applyFields(template, { ...input, ...comment }, rules, unit.checks, creating);
  if (input.componentId !== undefined) {
    const components = await componentsOf(
      unit.em,
      template.page.id,
      isBlank(input.componentId) ? [] : [input.componentId!],
    );
    if (!components) unit.checks.refuse('componentId', text.invalid);
    else if (components[0] !== template.component) template.component = components[0] ?? null;
  }
  unit.checks.pass();
}
