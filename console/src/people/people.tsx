import { useState } from 'react';
import {
  DeleteMembershipDocument,
  DisablePersonDocument,
  EnablePersonDocument,
  PeopleDocument,
} from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { type Action, ActionButton, useActions } from '../layout/actions.tsx';
import { ScreenHeader } from '../layout/screen.tsx';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { TextField } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import { roleNames } from './grant-fields.tsx';
import { InvitePerson } from './invite-person.tsx';
import styles from '../ui/list.module.css';

/** Who may sign in, and their roles. */
export default function People() {
  const session = useSession();
  const [search, setSearch] = useState('');
  const [isInviting, setInviting] = useState(false);
  const cursors = useCursors();
  const filter = search.trim() ? { email: { cont: search.trim() } } : {};
  const { data, error } = useLazyRead(PeopleDocument, { after: cursors.after, filter });
  const [takeRole, disable, enable] = [
    useWrite(DeleteMembershipDocument),
    useWrite(DisablePersonDocument),
    useWrite(EnablePersonDocument),
  ];
  const invite: Action = { label: 'Invite somebody', icon: 'plus', key: 'c', run: () => setInviting(true) };
  useActions([invite]);
  const nameOf = (pageId: string | null) =>
    pageId === null ? 'all pages' : (session.pages.find(({ id }) => id === pageId)?.name ?? pageId);
  return (
    <>
      <ScreenHeader title="People">
        <ActionButton action={invite} look="primary" />
      </ScreenHeader>
      <WriteError error={[error, takeRole.error, disable.error, enable.error].find(Boolean)} />
      <div className={styles.filters}>
        <TextField
          label="Search the addresses"
          type="search"
          value={search}
          onChange={event => {
            setSearch(event.target.value);
            cursors.restart();
          }}
        />
      </div>
      {data?.people?.nodes.length === 0 && <p className={styles.quiet}>There is nobody with such an address.</p>}
      <ul>
        {data?.people?.nodes.map(({ id, email, disabledAt, memberships }) => (
          <li key={id} className={styles.row}>
            <div className={styles.main}>
              <span>{email}</span>
              {disabledAt && <small>Disabled</small>}
              {!disabledAt && !memberships.length && <small>No role</small>}
              {memberships.map(membership => (
                <small key={membership.id}>
                  {roleNames[membership.role]} of {nameOf(membership.pageId)}{' '}
                  <ConfirmButton
                    label="Take away"
                    question={`Take the role away from ${email}`}
                    onConfirm={() => takeRole.mutate({ id: membership.id })}
                  />
                </small>
              ))}
            </div>
            {session.has('OWNER') && email !== session.email && (
              <div className={styles.buttons}>
                {disabledAt ? (
                  <Button onClick={() => enable.mutate({ id })}>Enable</Button>
                ) : (
                  <ConfirmButton
                    label="Disable"
                    question={`Disable ${email}`}
                    onConfirm={() => disable.mutate({ id })}
                  />
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      <Pager cursors={cursors} pageInfo={data?.people?.pageInfo} />
      {isInviting && <InvitePerson onClose={() => setInviting(false)} />}
    </>
  );
}
