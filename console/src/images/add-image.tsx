import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { UploadImageDocument } from '../api/documents.ts';
import { request } from '../api/transport.ts';
import { Button } from '../ui/button.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { readBase64 } from '../ui/files.ts';
import styles from './add-image.module.css';
import { shrinkImage } from './shrink-image.ts';

export interface ChosenImage {
  file: File;
  /** Where in the text it goes. */
  position: number;
}

interface Props {
  image: ChosenImage;
  pageIds: string[];
  onInsert: (markdown: string) => void;
  onCancel: () => void;
}

/** Uploads an image while its description is written. */
export function AddImage({ image: { file }, pageIds, onInsert, onCancel }: Props) {
  const [description, setDescription] = useState('');
  const upload = useMutation({ mutationFn: () => uploadImage(file, pageIds) });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each image
  useEffect(() => upload.mutate(), []);
  const text = description.trim();
  const insert = () => {
    if (upload.data && text) onInsert(`![${text.replace(/[\\[\]]/g, '\\$&')}](${upload.data})`);
  };
  // Enter would send the form around it.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    insert();
  };
  return (
    <fieldset className={styles.image}>
      <legend>Add an image</legend>
      <TextField
        label="What the image shows"
        hint="For people who cannot see it, and for messages without images."
        value={description}
        maxLength={255}
        autoComplete="off"
        autoFocus
        onChange={event => setDescription(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p role="status">{upload.isPending && `Uploading ${file.name} …`}</p>
      <FormError>{upload.error?.message}</FormError>
      <div className={styles.buttons}>
        {upload.isError && <Button onClick={() => upload.mutate()}>Upload it again</Button>}
        <Button look="primary" disabled={!upload.data || !text} onClick={insert}>
          Insert
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </fieldset>
  );
}

/** Returns its URL at the first page, which the others replace by their own. */
async function uploadImage(file: File, pageIds: string[]): Promise<string> {
  const input = { data: await readBase64(await shrinkImage(file)) };
  const results = await Promise.all(pageIds.map(pageId => request(UploadImageDocument, { pageId, input })));
  const error = results.flatMap(({ result }) => result?.userErrors ?? [])[0];
  if (error) throw new Error(error.message.replace('`data`', 'The image'));
  return results[0]!.result!.url!;
}
