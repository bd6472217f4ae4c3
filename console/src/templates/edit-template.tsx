import { Suspense, useState } from 'react';
import {
  CreateTemplateDocument,
  DeleteTemplateDocument,
  type NoticeType,
  type TemplateListQuery,
  UpdateTemplateDocument,
} from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { ComponentPicker } from '../components/picker.tsx';
import { ContentArea } from '../images/content-area.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError, Options, Select, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';

export type Template = NonNullable<TemplateListQuery['noticeTemplates']>['nodes'][number];

export const typeNames: Record<NoticeType, string> = {
  UNPLANNED: 'Incident',
  PLANNED: 'Maintenance',
  GENERAL: 'Announcement',
};

/** Undefined: a new one. */
export function EditTemplate({
  pageId,
  template,
  onClose,
}: {
  pageId: string;
  template: Template | undefined;
  onClose: () => void;
}) {
  const [form, setForm] = useState({
    name: template?.name ?? '',
    type: template ? template.type : ('UNPLANNED' as NoticeType),
    subject: template?.subject ?? '',
    content: template?.content ?? '',
    componentIds: template?.componentIds ?? [],
  });
  const create = useWrite(CreateTemplateDocument);
  const update = useWrite(UpdateTemplateDocument);
  const remove = useWrite(DeleteTemplateDocument);
  const write = template ? update : create;
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, [
    'name',
    'type',
    'subject',
    'content',
    'componentIds',
  ]);
  const onSubmit = async () => {
    const { result } = template
      ? await update.mutateAsync({ pageId, id: template.id, input: form })
      : await create.mutateAsync({ pageId, input: form });
    if (!result?.userErrors.length) onClose();
  };
  const onDelete = async () => {
    await remove.mutateAsync({ pageId, id: template!.id });
    onClose();
  };
  const title = template ? 'Edit the template' : 'Add a template';
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm
        action={template ? 'Save' : 'Add'}
        isDisabled={write.isPending}
        buttons={
          template && (
            <ConfirmButton label="Delete" question="Delete it" onConfirm={() => void onDelete().catch(() => {})} />
          )
        }
        onSubmit={onSubmit}
        onClose={onClose}
      >
        <TextField
          label="Name"
          value={form.name}
          error={errors.name}
          autoFocus
          onChange={event => setForm({ ...form, name: event.target.value })}
        />
        <Select
          label="Type of notice"
          value={form.type ?? ''}
          error={errors.type}
          onChange={event => setForm({ ...form, type: (event.target.value || null) as NoticeType | null })}
        >
          <option value="">Any notice</option>
          <Options of={Object.entries(typeNames)} />
        </Select>
        <TextField
          label="Subject"
          value={form.subject}
          error={errors.subject}
          onChange={event => setForm({ ...form, subject: event.target.value })}
        />
        <ContentArea
          pageIds={[pageId]}
          hint="Use a placeholder such as {{region}} for what changes each time."
          value={form.content}
          error={errors.content}
          onChange={content => setForm({ ...form, content })}
        />
        <Suspense fallback={<p>Loading the components …</p>}>
          <ComponentPicker
            pageId={pageId}
            choice={Object.fromEntries(form.componentIds.map(id => [id, 'DEGRADED' as const]))}
            error={errors.componentIds}
            onChange={choice => setForm({ ...form, componentIds: Object.keys(choice) })}
          />
        </Suspense>
        <FormError>{write.error?.message ?? remove.error?.message ?? others}</FormError>
      </DialogForm>
    </Dialog>
  );
}
