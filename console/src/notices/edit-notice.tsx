import { type FormEvent, lazy, useState } from 'react';
import { EditNoticeDocument, type NoticeDetailFragment } from '../api/documents.ts';
import { useWrite } from '../api/hooks.ts';
import { formatTime } from '../api/times.ts';
import { RequestError } from '../api/transport.ts';
import { ComponentPicker } from '../components/picker.tsx';
import { ScreenBoundary } from '../layout/screen.tsx';
import { Button } from '../ui/button.tsx';
import { Chips } from '../ui/chips.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError, TextField } from '../ui/field.tsx';
import { toFormErrors } from '../ui/field-errors.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { wordOf } from '../ui/state-label.tsx';
import { TimeField } from '../ui/time-field.tsx';
import { Versions } from '../ui/versions.tsx';
import styles from './notice.module.css';

interface Props {
  pageId: string;
  notice: NoticeDetailFragment;
  onClose: () => void;
}

const toForm = (notice: NoticeDetailFragment) => ({
  subject: notice.subject,
  choice: Object.fromEntries(notice.affectedComponents.map(({ component, impact }) => [component.id, impact])),
  ...(notice.__typename === 'PlannedNotice' && { beginsAt: notice.beginsAt, endsAt: notice.endsAt }),
});

type Form = ReturnType<typeof toForm>;

const EditSeries = lazy(async () => ({ default: (await import('../recurrence/edit-series.tsx')).EditSeries }));

/** One that repeats asks whether the change holds for later occurrences, too. */
export function EditNotice({ pageId, notice, onClose }: Props) {
  const [isForLater, setForLater] = useState(false);
  const recurrenceId = 'recurrenceId' in notice && notice.state === 'SCHEDULED' ? notice.recurrenceId : null;
  return (
    <Dialog title="Edit" heading={isForLater ? 'Edit this and all later ones' : 'Edit the notice'} onClose={onClose}>
      {recurrenceId && (
        <Chips
          legend="What to change"
          values={[false, true]}
          chosen={isForLater}
          describe={isLater => (isLater ? 'This and all later ones' : 'This one')}
          onChoose={setForLater}
        />
      )}
      {recurrenceId && isForLater ? (
        <ScreenBoundary isPart>
          <EditSeries pageId={pageId} id={recurrenceId} noticeId={notice.id} onClose={onClose} />
        </ScreenBoundary>
      ) : (
        <EditOne pageId={pageId} notice={notice} onClose={onClose} />
      )}
    </Dialog>
  );
}

const shownFields = ['subject', 'beginsAt', 'endsAt', 'componentIds', 'affectedComponents'] as const;

/** Changes what a notice is about, without a notification. A version that somebody else has written is shown beside. */
function EditOne({ pageId, notice, onClose }: Props) {
  const [form, setForm] = useState(() => toForm(notice));
  const [version, setVersion] = useState(notice.version);
  const write = useWrite(EditNoticeDocument);
  const { errors, others } = toFormErrors(write.data?.result?.userErrors, shownFields);
  const isStale = write.error instanceof RequestError && write.error.code === 'PRECONDITION_FAILED';
  const { choice, ...fields } = form;
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const components =
      notice.type === 'UNPLANNED'
        ? { affectedComponents: Object.entries(choice).map(([componentId, impact]) => ({ componentId, impact })) }
        : { componentIds: Object.keys(choice) };
    const input = { ...fields, ...components, shouldPublish: false };
    const { result } = await write.mutateAsync({ pageId, id: notice.id, ifVersion: version, input });
    if (!result?.userErrors.length) onClose();
  };
  return (
    <form className={styles.box} onSubmit={event => void onSubmit(event).catch(() => {})} onKeyDown={submitOnShortcut}>
      <TextField
        label="Subject"
        value={form.subject}
        error={errors.subject}
        onChange={event => setForm({ ...form, subject: event.target.value })}
      />
      {form.beginsAt && form.endsAt && (
        <>
          <TimeField
            label="Begins"
            value={form.beginsAt}
            error={errors.beginsAt}
            onChange={beginsAt => setForm({ ...form, beginsAt })}
          />
          <TimeField
            label="Ends"
            value={form.endsAt}
            error={errors.endsAt}
            onChange={endsAt => setForm({ ...form, endsAt })}
          />
        </>
      )}
      <ScreenBoundary isPart>
        <ComponentPicker
          pageId={pageId}
          choice={form.choice}
          hasImpacts={notice.type === 'UNPLANNED'}
          error={errors.componentIds ?? errors.affectedComponents}
          onChange={next => setForm({ ...form, choice: next })}
        />
      </ScreenBoundary>
      {isStale && (
        <Versions
          theirs={<About {...toForm(notice)} names={namesOf(notice)} />}
          yours={<About {...form} names={namesOf(notice)} />}
        />
      )}
      <FormError>{isStale ? null : (write.error?.message ?? others)}</FormError>
      <div className={styles.pager}>
        <Button
          type="submit"
          look={isStale ? 'secondary' : 'primary'}
          disabled={write.isPending}
          onClick={() => isStale && setVersion(notice.version)}
        >
          {isStale ? 'Save mine anyway' : 'Save'}
        </Button>
        {isStale && <Button onClick={() => setForm(toForm(notice))}>Use theirs</Button>}
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

const namesOf = (notice: NoticeDetailFragment) =>
  Object.fromEntries(notice.affectedComponents.map(({ component }) => [component.id, component.name]));

/** In a few lines; components that only one of the versions names may be counted. */
function About({ subject, choice, beginsAt, endsAt, names }: Form & { names: Record<string, string> }) {
  const named = Object.keys(choice).filter(id => names[id]);
  const others = Object.keys(choice).length - named.length;
  const components = [
    ...named.map(id => `${names[id]}: ${wordOf(choice[id]!)}`),
    ...(others ? [others === 1 ? 'one other component' : `${others} other components`] : []),
  ];
  return (
    <>
      <p>{subject}</p>
      {beginsAt && endsAt && (
        <p>
          {formatTime(beginsAt)} to {formatTime(endsAt)}
        </p>
      )}
      <p>{components.join(', ') || 'No components'}</p>
    </>
  );
}
