import { type NoticeType, TemplatesDocument } from '../api/documents.ts';
import { useLazyRead } from '../api/hooks.ts';
import { Options, Select } from '../ui/field.tsx';
import type { Draft } from './kinds.ts';

interface Props {
  pageId: string;
  type: NoticeType;
  onChoose: (fields: Partial<Draft>) => void;
}

/** Templates of this kind, and those that are for any. A list of the platform: two letters find a name. */
export function TemplatePicker({ pageId, type, onChoose }: Props) {
  const { data } = useLazyRead(TemplatesDocument, { pageId });
  const templates = (data?.noticeTemplates?.nodes ?? []).filter(template => (template.type ?? type) === type);
  if (!templates.length) return null;
  const choose = (id: string) => {
    const template = templates.find(each => each.id === id);
    if (!template) return;
    const { subject, content, componentIds } = template;
    onChoose({
      ...(subject && { subject }),
      ...(content && { content }),
      ...(componentIds.length && { choice: Object.fromEntries(componentIds.map(each => [each, 'DEGRADED' as const])) }),
    });
  };
  return (
    <Select label="Template" defaultValue="" onChange={event => choose(event.target.value)}>
      <option value="">None</option>
      <Options of={templates.map(({ id, name }) => [id, name])} />
    </Select>
  );
}
