import { useState } from 'react';
import { DisablePersonDocument, EnablePersonDocument, PeopleDocument } from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { type Action, ActionButton, useActions } from '../layout/actions.tsx';
import { AccessPlaces } from '../layout/access-places.tsx';
import { ScreenHeader } from '../layout/screen.tsx';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { TextField } from '../ui/field.tsx';
import { Pager } from '../ui/pager.tsx';
import { useCursors } from '../ui/use-cursors.ts';
import { InvitePerson } from './invite-person.tsx';
import { PersonData } from './person-data.tsx';
import { Memberships } from './memberships.tsx';
import { toError } from './user-error.ts';
import own from './people.module.css';
import styles from '../ui/list.module.css';

/** Who may sign in, and their roles. */
export default function People() {
  const session = useSession();
  const [search, setSearch] = useState('');
  const [overlay, setOverlay] = useState<'invite' | 'data'>();
  const cursors = useCursors();
  const filter = search.trim() ? { email: { cont: search.trim() } } : {};
  const { data, error } = useLazyRead(PeopleDocument, { after: cursors.after, filter });
  const disable = useWrite(DisablePersonDocument);
  const enable = useWrite(EnablePersonDocument);
  const invite: Action = { label: 'Invite a person', icon: 'plus', key: 'c', run: () => setOverlay('invite') };
  useActions([invite]);
  const refused = toError(disable.data?.result?.userErrors);
  return (
    <>
      <ScreenHeader title="People">
        <ActionButton action={invite} look="primary" />
        {session.has('OWNER') && <Button onClick={() => setOverlay('data')}>Data of a person</Button>}
      </ScreenHeader>
      <AccessPlaces />
      <WriteError error={[error, disable.error, enable.error, refused].find(Boolean)} />
      <div className={styles.filters}>
        <TextField
          label="Search by address"
          type="search"
          value={search}
          onChange={event => {
            setSearch(event.target.value);
            cursors.restart();
          }}
        />
      </div>
      {data?.people?.nodes.length === 0 && <p className={styles.quiet}>No person has this address.</p>}
      <ul>
        {data?.people?.nodes.map(person => (
          <li key={person.id} className={own.person}>
            <div className={own.name}>
              <span>{person.email}</span>
              {person.disabledAt && <small>Disabled</small>}
              {!person.disabledAt && !person.memberships.length && <small>No role</small>}
            </div>
            <Memberships
              person={person}
              more={
                session.has('OWNER') &&
                person.email !== session.email &&
                (person.disabledAt ? (
                  <Button onClick={() => enable.mutate({ id: person.id })}>Enable</Button>
                ) : (
                  <ConfirmButton
                    label="Disable"
                    question={`Disable ${person.email}`}
                    onConfirm={() => disable.mutate({ id: person.id })}
                  />
                ))
              }
            />
          </li>
        ))}
      </ul>
      <Pager cursors={cursors} pageInfo={data?.people?.pageInfo} />
      {overlay === 'invite' && <InvitePerson onClose={() => setOverlay(undefined)} />}
      {overlay === 'data' && <PersonData onClose={() => setOverlay(undefined)} />}
    </>
  );
}
