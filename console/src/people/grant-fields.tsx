import type { Role } from '../api/documents.ts';
import { useSession } from '../api/session.ts';
import { Options, Select } from '../ui/field.tsx';

export const roleNames: Record<Role, string> = {
  VIEWER: 'Viewer',
  DRAFTER: 'Drafter',
  PUBLISHER: 'Publisher',
  OWNER: 'Owner',
};

const rights: Record<Role, string> = {
  VIEWER: 'can read',
  DRAFTER: 'can write drafts',
  PUBLISHER: 'can publish and manage subscribers',
  OWNER: 'can do everything, including settings and people',
};

/** A role on one page, or on all. */
export interface Grant {
  role: Role;
  /** Null: all pages. */
  pageIds: string[] | null;
}

/** What is proposed: to publish on one page. All pages, with those to come, are a choice of their own. */
export function useProposedGrant(): Grant {
  const [page] = useSession().pagesWith('OWNER');
  return { role: 'PUBLISHER', pageIds: page ? [page.id] : null };
}

/** A role, with what it allows. */
export const RoleField = ({
  role,
  error,
  onChange,
}: {
  role: Role;
  error?: string;
  onChange: (role: Role) => void;
}) => (
  <Select label="Role" value={role} error={error} onChange={event => onChange(event.target.value as Role)}>
    <Options
      of={Object.entries(rights).map(([value, meaning]) => [value, `${roleNames[value as Role]}: ${meaning}`])}
    />
  </Select>
);

/** The fields by which an owner gives a role, to a person or to a program. */
export function GrantFields({
  grant: { role, pageIds },
  errors,
  onChange,
}: {
  grant: Grant;
  errors: { role?: string; pageIds?: string };
  onChange: (grant: Grant) => void;
}) {
  const session = useSession();
  return (
    <>
      <RoleField role={role} error={errors.role} onChange={chosen => onChange({ role: chosen, pageIds })} />
      <Select
        label="Pages"
        value={pageIds?.[0] ?? ''}
        error={errors.pageIds}
        onChange={event => onChange({ role, pageIds: event.target.value ? [event.target.value] : null })}
      >
        <Options of={session.pagesWith('OWNER').map(({ id, name }) => [id, name])} />
        {session.has('OWNER') && <option value="">All pages</option>}
      </Select>
    </>
  );
}
