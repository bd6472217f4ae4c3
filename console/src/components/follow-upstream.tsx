import { type FormEvent, useState } from 'react';
import { FollowUpstreamDocument, ReadUpstreamDocument, UnfollowUpstreamDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { Button } from '../ui/button.tsx';
import { FormError, Select, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { wordOf } from '../ui/state-label.tsx';
import type { TreeNode } from './tree.ts';
import styles from './components.module.css';

interface Props {
  pageId: string;
  node: TreeNode;
  onDone: () => void;
}

/** The component of another status page that a component follows: its address first, then one of its components. */
export function FollowUpstream({ pageId, node, onDone }: Props) {
  const { upstream } = node;
  const [url, setUrl] = useState(upstream?.url ?? '');
  const [chosen, setChosen] = useState('');
  const read = useWrite(ReadUpstreamDocument);
  const follow = useWrite(FollowUpstreamDocument);
  const unfollow = useWrite(UnfollowUpstreamDocument);
  const listing = read.data?.result;
  const isRead = Boolean(listing?.components);
  const { errors, others } = toFormErrors(follow.data?.result?.userErrors ?? listing?.userErrors, ['url', 'component']);
  const isPending = read.isPending || follow.isPending || unfollow.isPending;
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    follow.reset();
    if (!isRead) {
      const { result } = await read.mutateAsync({ pageId, input: { url } });
      const isSame = ({ remoteId }: { remoteId: string }) => remoteId === upstream?.remoteId;
      setChosen((result?.components?.find(isSame) ?? result?.components?.[0])?.remoteId ?? '');
      return;
    }
    const { result } = await follow.mutateAsync({ pageId, id: node.id, input: { url, component: chosen } });
    if (!result?.userErrors.length) onDone();
  };
  const onUnfollow = async () => {
    const { result } = await unfollow.mutateAsync({ pageId, id: node.id });
    if (!result?.userErrors.length) onDone();
  };
  return (
    <form className={`${styles.form} ${styles.follows}`} onSubmit={event => void onSubmit(event).catch(() => {})}>
      <h3>Follows another status page</h3>
      {upstream && (
        <p>
          {upstream.remoteName} of {hostOf(upstream.url)}: {wordOf(upstream.status)}. {upstream.failure}
        </p>
      )}
      <TextField
        label="Its address"
        hint="Optional. The page then shows where the status comes from. Nobody is notified of it."
        type="url"
        required
        placeholder="https://status.example.com"
        value={url}
        error={errors.url}
        onChange={event => {
          setUrl(event.target.value);
          read.reset();
          follow.reset();
        }}
      />
      {listing?.components && (
        <Select
          label="Its component"
          value={chosen}
          error={errors.component}
          onChange={event => setChosen(event.target.value)}
        >
          {listing.components.map(({ remoteId: id, name, group, status }) => (
            <option key={id} value={id}>
              {group && `${group} › `}
              {name} ({wordOf(status)})
            </option>
          ))}
        </Select>
      )}
      <FormError>{(read.error ?? follow.error ?? unfollow.error)?.message ?? others}</FormError>
      <div className={styles.buttons}>
        <Button type="submit" disabled={isPending || (isRead && !chosen)}>
          {isRead ? 'Follow it' : 'Find its components'}
        </Button>
        {upstream && (
          <Button disabled={isPending} onClick={() => void onUnfollow().catch(() => {})}>
            Stop following it
          </Button>
        )}
      </div>
    </form>
  );
}

export const hostOf = (url: string): string => new URL(url).host;
