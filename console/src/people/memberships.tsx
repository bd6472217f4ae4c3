import { useState } from 'react';
import { DeleteMembershipDocument, type PeopleQuery } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { ChangeRole } from './change-role.tsx';
import { roleNames } from './grant-fields.tsx';
import { toError } from './user-error.ts';
import styles from '../ui/list.module.css';

type Person = NonNullable<PeopleQuery['people']>['nodes'][number];
type Membership = Person['memberships'][number];

/** The roles of a person, each to be changed or taken away. */
export function Memberships({ person: { email, memberships } }: { person: Person }) {
  const { pages } = useSession();
  const [changed, setChanged] = useState<Membership | null>(null);
  const remove = useWrite(DeleteMembershipDocument);
  const nameOf = (pageId: string | null) =>
    pageId === null ? 'all pages' : (pages.find(({ id }) => id === pageId)?.name ?? pageId);
  const describe = ({ role, pageId }: Membership) => `${roleNames[role]} of ${nameOf(pageId)}`;
  return (
    <>
      {memberships.map(membership => (
        <div key={membership.id} className={styles.buttons}>
          <small>{describe(membership)}</small>
          <Button
            look="quiet"
            aria-label={`Change the role of ${email}: ${describe(membership)}`}
            onClick={() => setChanged(membership)}
          >
            Change the role
          </Button>
          <ConfirmButton
            label="Remove the role"
            question={`Remove the role from ${email}`}
            onConfirm={() => remove.mutate({ id: membership.id })}
          />
        </div>
      ))}
      <WriteError error={remove.error ?? toError(remove.data?.result?.userErrors)} />
      {changed && (
        <ChangeRole
          title={`Role of ${email} on ${nameOf(changed.pageId)}`}
          membership={changed}
          onClose={() => setChanged(null)}
        />
      )}
    </>
  );
}
