import { useState } from 'react';
import { UpdateSubscribersDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { listNodes, useComponentTree } from '../components/tree.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DialogForm } from '../ui/dialog-form.tsx';
import { FormError, Options, Select } from '../ui/field.tsx';
import { countSubscribers } from '../ui/format-count.ts';
import type { Selected } from './use-selection.ts';

interface Props extends Selected {
  pageId: string;
  onClose: () => void;
  onDone: (result: string) => void;
}

/** Adds a component to the choices of the selected subscribers, or removes it from them. */
export function BulkComponents({ pageId, filter, count, onClose, onDone }: Props) {
  const components = listNodes(useComponentTree(pageId));
  const [componentId, setComponentId] = useState(components[0]?.id);
  const [change, setChange] = useState('add');
  const write = useWrite(UpdateSubscribersDocument);
  const onSubmit = async () => {
    const ids = componentId ? [componentId] : [];
    const input = change === 'add' ? { addComponentIds: ids } : { removeComponentIds: ids };
    const { result } = await write.mutateAsync({ pageId, filter, expectedCount: count, input });
    if (!result?.userErrors.length) onDone(`Changed ${countSubscribers(result?.count ?? 0)}.`);
  };
  return (
    <Dialog title="Change components" onClose={onClose}>
      <p>Subscribers to all components are not changed.</p>
      <DialogForm
        action={`Change ${countSubscribers(count)}`}
        isDisabled={!componentId || write.isPending}
        onSubmit={onSubmit}
        onClose={onClose}
      >
        <Select label="Change" value={change} onChange={event => setChange(event.target.value)}>
          <option value="add">Add</option>
          <option value="remove">Remove</option>
        </Select>
        <Select label="Component" value={componentId} onChange={event => setComponentId(event.target.value)}>
          <Options of={components.map(({ id, name }) => [id, name])} />
        </Select>
        <FormError>{write.error?.message ?? write.data?.result?.userErrors[0]?.message}</FormError>
      </DialogForm>
    </Dialog>
  );
}
