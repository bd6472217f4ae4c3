import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { DeletePageDocument } from '../api/documents.ts';
import { createKey } from '../api/idempotency-key.ts';
import { request } from '../api/transport.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import styles from '../ui/list.module.css';

/** Deletes the page, once its name has been typed. */
export function DeletePage({ pageId, name }: { pageId: string; name: string }) {
  const [typed, setTyped] = useState('');
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => request(DeletePageDocument, { id: pageId }, { idempotencyKey: createKey() }),
    networkMode: 'always',
    onSuccess: () => {
      // Before the screen reads a page that is gone.
      navigate('/');
      return client.invalidateQueries();
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === name.trim()) remove.mutate();
  };
  return (
    <form className={styles.form} onSubmit={onSubmit}>
      <p>Its components, notices, subscribers and settings are deleted with it. This cannot be undone.</p>
      <TextField
        label={`To confirm, enter the name of the page: ${name}`}
        autoComplete="off"
        value={typed}
        onChange={event => setTyped(event.target.value)}
      />
      <WriteError error={remove.error} />
      <div className={styles.buttons}>
        <Button type="submit" look="danger" disabled={typed.trim() !== name.trim() || remove.isPending}>
          Delete the page
        </Button>
      </div>
    </form>
  );
}
