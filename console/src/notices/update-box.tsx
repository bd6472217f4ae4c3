import type { FormEvent } from 'react';
import { type NoticeDetailFragment, type NoticeState, PostUpdateDocument } from '../api/documents.ts';
import { useSession } from '../api/session.ts';
import { useStored } from '../api/stored.ts';
import { useOutbox } from '../publishing/outbox.ts';
import { PublishBar } from '../publishing/publish-bar.tsx';
import { usePreview } from '../publishing/use-preview.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { TextArea } from '../ui/field.tsx';
import { wordOf } from '../ui/state-label.tsx';
import styles from './notice.module.css';

/** What could be sent as it is with each state. */
const neutralTexts: Record<NoticeState, string> = {
  INVESTIGATING: 'We are investigating this, and will post an update as soon as we know more.',
  IDENTIFIED: 'We have found the cause, and are working on a fix.',
  RECOVERING: 'A fix is in place, and we are watching the recovery.',
  RESOLVED: 'This is resolved.',
  FALSE_ALARM: 'This was a false alarm: nothing was affected.',
  SCHEDULED: 'This maintenance is planned as announced.',
  UNDERWAY: 'The maintenance has begun.',
  COMPLETE: 'The maintenance is complete.',
  CANCELLED: 'This maintenance is cancelled.',
};

export const updateFieldId = 'update';

interface Draft {
  /** Null: the state stays. */
  state: NoticeState | null;
  content: string;
}

interface Props {
  pageId: string;
  notice: NoticeDetailFragment;
  onPublished: (publicationId: string | undefined) => void;
}

/** The next state in one tap, with a text that can be sent as it is, and who hears of it. */
export function UpdateBox({ pageId, notice, onPublished }: Props) {
  const session = useSession();
  const storageName = `update ${session.email} ${notice.id}`;
  const [stored, setDraft] = useStored<Draft>(storageName);
  const draft: Draft = stored ?? { state: null, content: '' };
  const outbox = useOutbox(storageName, PostUpdateDocument, ({ publication }) => {
    setDraft(undefined);
    onPublished(publication?.id);
  });
  const input = { content: draft.content, ...(draft.state && { state: draft.state }) };
  const { preview, isCurrent } = usePreview(
    pageId,
    notice.id,
    { updateNotice: { ...input, shouldPublish: true } },
    null,
  );

  const choose = (state: NoticeState | null) => {
    const isNeutral = !draft.content.trim() || Object.values(neutralTexts).includes(draft.content);
    setDraft({ state, content: isNeutral ? (state ? neutralTexts[state] : '') : draft.content });
  };
  const publish = (shouldPublish: boolean) =>
    outbox.send({ pageId, id: notice.id, input: { ...input, shouldPublish } });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (outbox.state === 'idle') publish(true);
  };
  return (
    <form id={updateFieldId} className={styles.box} onSubmit={onSubmit} onKeyDown={submitOnShortcut}>
      {notice.state && (
        <fieldset className={styles.states}>
          <legend>State</legend>
          {[null, ...notice.nextStates].map(state => (
            <label key={state}>
              <input type="radio" name="state" checked={draft.state === state} onChange={() => choose(state)} />
              <span>{state ? wordOf(state) : `Still ${wordOf(notice.state!).toLowerCase()}`}</span>
            </label>
          ))}
        </fieldset>
      )}
      <TextArea
        label="Text"
        error={outbox.errors.content}
        value={draft.content}
        onChange={event => setDraft({ ...draft, content: event.target.value })}
      />
      {Boolean(draft.content.trim()) && (
        <PublishBar
          preview={preview}
          isCurrent={isCurrent}
          error={outbox.errors[''] ?? outbox.errors.state}
          state={outbox.state}
          mayPublish={session.has('PUBLISHER', pageId)}
          onPublish={publish}
          onConfirm={outbox.confirm}
          onDiscard={outbox.discard}
        />
      )}
    </form>
  );
}
