import { useState } from 'react';
import { CreateComponentDocument, DeleteComponentDocument, UpdateComponentDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError, Options, Select, TextArea, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { FollowUpstream } from './follow-upstream.tsx';
import { listNodes, type TreeNode } from './tree.ts';

interface Props {
  pageId: string;
  tree: TreeNode[];
  /** Undefined: a new one. */
  node: TreeNode | undefined;
  mayDelete: boolean;
  onClose: () => void;
}

export function EditComponent({ pageId, tree, node, mayDelete, onClose }: Props) {
  const [form, setForm] = useState({
    name: node?.name ?? '',
    description: node?.description ?? '',
    parentId: node?.parentId ?? '',
  });
  const create = useWrite(CreateComponentDocument);
  const update = useWrite(UpdateComponentDocument);
  const remove = useWrite(DeleteComponentDocument);
  const write = node ? update : create;
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, ['name', 'description', 'parentId']);
  const below = node ? listNodes([node]).map(({ id }) => id) : [];
  const parents = listNodes(tree).filter(({ id }) => !below.includes(id));

  const onSubmit = async () => {
    const input = { ...form, description: form.description || null, parentId: form.parentId || null };
    const { result } = node
      ? await update.mutateAsync({ pageId, id: node.id, input })
      : await create.mutateAsync({ pageId, input });
    if (!result?.userErrors.length) onClose();
  };
  const onDelete = async () => {
    const { result } = await remove.mutateAsync({ pageId, id: node!.id });
    if (!result?.userErrors.length) onClose();
  };
  return (
    <Dialog title={node ? 'Edit the component' : 'Add a component'} onClose={onClose}>
      <DialogForm
        action={node ? 'Save' : 'Add'}
        isDisabled={write.isPending}
        buttons={
          node &&
          mayDelete && (
            <ConfirmButton
              label="Delete"
              question={node.children.length ? 'Delete the component and those below it' : 'Delete it'}
              onConfirm={() => void onDelete().catch(() => {})}
            />
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
        <TextArea
          label="Description"
          hint="Optional. Shown below the name."
          value={form.description}
          error={errors.description}
          onChange={event => setForm({ ...form, description: event.target.value })}
        />
        <Select
          label="Part of"
          value={form.parentId}
          error={errors.parentId}
          onChange={event => setForm({ ...form, parentId: event.target.value })}
        >
          <option value="">None</option>
          <Options of={parents.map(({ id, name }) => [id, name])} />
        </Select>
        <FormError>{write.error?.message ?? remove.error?.message ?? others}</FormError>
      </DialogForm>
      {node && mayDelete && <FollowUpstream pageId={pageId} node={node} onDone={onClose} />}
    </Dialog>
  );
}
