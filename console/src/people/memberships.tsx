import { type ReactNode, useState } from 'react';
import { DeleteMembershipDocument, type PeopleQuery, type Role, UpdateMembershipDocument } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { WriteError } from '../layout/write-error.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Options } from '../ui/field.tsx';
import { MoreMenu } from '../ui/more-menu.tsx';
import { roleNames } from './grant-fields.tsx';
import { toError } from './user-error.ts';
import styles from './people.module.css';

type Person = NonNullable<PeopleQuery['people']>['nodes'][number];

/** The roles of a person, each as a select. What takes rights away is in a menu, with what else the screen offers. */
export function Memberships({ person: { email, memberships }, more }: { person: Person; more?: ReactNode }) {
  const { pages } = useSession();
  const [chosen, setChosen] = useState<Record<string, Role>>({});
  const update = useWrite(UpdateMembershipDocument);
  const remove = useWrite(DeleteMembershipDocument);
  const nameOf = (pageId: string | null) =>
    pageId === null ? 'all pages' : (pages.find(({ id }) => id === pageId)?.name ?? pageId);
  const problem = [update, remove].map(({ error, data }) => error ?? toError(data?.result?.userErrors)).find(Boolean);
  return (
    <>
      <ul className={styles.roles}>
        {memberships.map(({ id, role, pageId }) => (
          <li key={id}>
            <select
              aria-label={`Role of ${email} on ${nameOf(pageId)}`}
              value={chosen[id] ?? role}
              onChange={event => setChosen({ ...chosen, [id]: event.target.value as Role })}
            >
              <Options of={Object.entries(roleNames)} />
            </select>
            <small>on {nameOf(pageId)}</small>
            {chosen[id] && chosen[id] !== role && (
              <Button
                look="primary"
                disabled={update.isPending}
                onClick={() => update.mutate({ id, role: chosen[id]! })}
              >
                Save the role
              </Button>
            )}
          </li>
        ))}
      </ul>
      <WriteError error={problem} />
      {(memberships.length > 0 || more) && (
        <MoreMenu label={`More for ${email}`}>
          {memberships.map(({ id, pageId }) => (
            <ConfirmButton
              key={id}
              label={`Remove the role on ${nameOf(pageId)}`}
              question={`Remove the role of ${email} on ${nameOf(pageId)}`}
              onConfirm={() => remove.mutate({ id })}
            />
          ))}
          {more}
        </MoreMenu>
      )}
    </>
  );
}
