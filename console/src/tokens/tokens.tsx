import { useState } from 'react';
import { RevokeTokenDocument, TokensDocument } from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { formatDistance, useNow } from '../api/times.ts';
import { type Action, ActionButton, useActions } from '../layout/actions.tsx';
import { AccessPlaces } from '../layout/access-places.tsx';
import { ScreenHeader } from '../layout/screen.tsx';
import { WriteError } from '../layout/write-error.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Pager } from '../ui/pager.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import { roleNames } from '../people/grant-fields.tsx';
import { CreateToken } from './create-token.tsx';
import styles from '../ui/list.module.css';

/** The credentials of programs. */
export default function Tokens() {
  const { pages } = useSession();
  const now = useNow();
  const cursors = useCursors();
  const [isCreating, setCreating] = useState(false);
  const { data, error } = useLazyRead(TokensDocument, { after: cursors.after });
  const revoke = useWrite(RevokeTokenDocument);
  const create: Action = { label: 'Create a token', icon: 'plus', key: 'c', run: () => setCreating(true) };
  useActions([create]);
  const nameOf = (id: string) => pages.find(page => page.id === id)?.name ?? id;
  return (
    <>
      <ScreenHeader title="Tokens">
        <ActionButton action={create} look="primary" />
      </ScreenHeader>
      <AccessPlaces />
      <WriteError error={error ?? revoke.error} />
      {data?.tokens?.nodes.length === 0 && (
        <p className={styles.quiet}>There are no tokens. Create one to let a program use the API.</p>
      )}
      <ul>
        {data?.tokens?.nodes.map(({ id, label, role, pageIds, prefix, lastFour, lastUsedAt, expiresAt }) => (
          <li key={id} className={styles.row}>
            <div className={styles.main}>
              <span>{label}</span>
              <small>
                {roleNames[role]} of {pageIds?.map(nameOf).join(', ') ?? 'all pages'}
                {prefix && ` · ${prefix}…${lastFour}`}
              </small>
              <small>
                {lastUsedAt ? `used ${formatDistance(lastUsedAt, now)}` : 'never used'},{' '}
                {expiresAt ? `expires ${formatDistance(expiresAt, now)}` : 'never expires'}
              </small>
            </div>
            <div className={styles.buttons}>
              <ConfirmButton label="Revoke" question={`Revoke ${label}`} onConfirm={() => revoke.mutate({ id })} />
            </div>
          </li>
        ))}
      </ul>
      <Pager cursors={cursors} pageInfo={data?.tokens?.pageInfo} />
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
    </>
  );
}
