import { AssigneesDocument, AssignNoticeDocument, type NoticeDetailFragment } from '../api/documents.ts';
import { useLazyRead, useWrite } from '../api/hooks.ts';
import { useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { FormError, Options, Select } from '../ui/field.tsx';
import styles from './notice.module.css';

interface Props {
  pageId: string;
  notice: NoticeDetailFragment;
  /** False: the role allows to see who it is. */
  mayAssign: boolean;
}

/** Who takes care of the notice, and how it is handed over. Visitors do not see it. */
export function Owner({ pageId, notice: { id, ownerId, owner }, mayAssign }: Props) {
  const { email } = useSession();
  const people = useLazyRead(AssigneesDocument, { pageId }, { isEnabled: mayAssign }).data?.assignees ?? [];
  const assign = useWrite(AssignNoticeDocument);
  const handOver = (to: string | null) => assign.mutate({ pageId, id, personId: to });
  if (!mayAssign) return owner && <p className={styles.owner}>Owner: {owner}</p>;
  const ownId = people.find(person => person.email === email)?.personId;
  const isListed = people.some(person => person.personId === ownerId);
  return (
    <div className={styles.owner}>
      <Select
        label="Owner"
        value={ownerId ?? ''}
        disabled={assign.isPending}
        onChange={({ target }) => handOver(target.value || null)}
      >
        <option value="">Nobody</option>
        {ownerId && !isListed && <option value={ownerId}>{owner}</option>}
        <Options of={people.map(person => [person.personId, person.email])} />
      </Select>
      {ownId && ownerId !== ownId && (
        <Button disabled={assign.isPending} onClick={() => handOver(ownId)}>
          Take it
        </Button>
      )}
      <FormError>{assign.error?.message ?? assign.data?.result?.userErrors[0]?.message}</FormError>
    </div>
  );
}
