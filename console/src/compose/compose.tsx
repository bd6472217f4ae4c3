import { type FormEvent, Suspense, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useSession } from '../api/session.ts';
import { useStored } from '../api/stored.ts';
import { ComponentPicker } from '../components/picker.tsx';
import { ScreenHeader } from '../layout/screen.tsx';
import { Previews } from '../publishing/previews.tsx';
import { PublishBar } from '../publishing/publish-bar.tsx';
import { useOutbox } from '../publishing/outbox.ts';
import { type PreviewTab, usePreview } from '../publishing/use-preview.ts';
import { submitOnShortcut } from '../ui/form.ts';
import { Select, TextArea, TextField } from '../ui/field.tsx';
import { wordOf } from '../ui/state-label.tsx';
import { type Draft, findPlaceholders, kinds, newDraft } from './kinds.ts';
import { Consequences } from './consequences.tsx';
import { TemplatePicker } from './template-picker.tsx';
import { WindowFields } from './window-fields.tsx';
import styles from './compose.module.css';

const states = ['INVESTIGATING', 'IDENTIFIED', 'RECOVERING'] as const;

/** One screen from nothing to a publication: what is written, what follows from it, and who hears of it. */
export default function Compose({ kind: name }: { kind: string }) {
  const session = useSession();
  const [, navigate] = useLocation();
  const [parameters] = useSearchParams();
  const kind = kinds[name]!;
  const pages = session.pagesWith('DRAFTER');
  const storageName = `draft ${session.email} ${name}`;
  const [stored, setDraft] = useStored<Draft>(storageName);
  const draft = stored ?? newDraft(kind, parameters.get('page') ?? pages[0]!.id);
  const change = (fields: Partial<Draft>) => setDraft({ ...draft, ...fields });
  const [tab, setTab] = useState<PreviewTab>('page');
  const [missing, setMissing] = useState<Record<string, string>>({});

  const outbox = useOutbox<never>(storageName, kind.document as never, ({ notice, publication }) => {
    setDraft(undefined);
    navigate(`/pages/${draft.pageId}/notices/${notice!.id}${publication ? `?publication=${publication.id}` : ''}`);
  });
  const input = kind.toInput(draft);
  const { preview, isCurrent } = usePreview(
    draft.pageId,
    undefined,
    { [kind.verb]: { ...input, shouldPublish: true } },
    tab,
  );
  const errors = { ...outbox.errors, ...missing };

  const publish = (shouldPublish: boolean) => {
    const found = findMissing(draft);
    setMissing(found);
    if (!Object.keys(found).length) outbox.send({ pageId: draft.pageId, input: { ...input, shouldPublish } } as never);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (outbox.state === 'idle') publish(true);
  };
  return (
    <>
      <ScreenHeader title={kind.title} />
      <div className={styles.columns}>
        <form onSubmit={onSubmit} onKeyDown={submitOnShortcut} className={styles.form}>
          {pages.length > 1 && (
            <Select
              label="Page"
              value={draft.pageId}
              onChange={event => change({ pageId: event.target.value, choice: {} })}
            >
              {pages.map(page => (
                <option key={page.id} value={page.id}>
                  {page.name}
                </option>
              ))}
            </Select>
          )}
          <TemplatePicker pageId={draft.pageId} type={kind.type} onChoose={change} />
          <TextField
            label="Subject"
            hint={kind.subjectHint}
            error={errors.subject}
            value={draft.subject}
            maxLength={255}
            autoComplete="off"
            autoFocus
            onChange={event => change({ subject: event.target.value })}
          />
          <TextArea
            label="Text"
            hint="Markdown: **bold**, lists, [links](https://…)."
            error={errors.content}
            value={draft.content}
            onChange={event => change({ content: event.target.value })}
          />
          {kind.type === 'PLANNED' && <WindowFields draft={draft} errors={errors} onChange={change} />}
          <Suspense fallback={<p>Loading the components …</p>}>
            <ComponentPicker
              pageId={draft.pageId}
              choice={draft.choice}
              hasImpacts={kind.type === 'UNPLANNED'}
              error={errors.componentIds ?? errors.affectedComponents}
              onChange={choice => change({ choice })}
            />
          </Suspense>
          {kind.type === 'UNPLANNED' && (
            <Select
              label="State"
              value={draft.state}
              onChange={event => change({ state: event.target.value as Draft['state'] })}
            >
              {states.map(state => (
                <option key={state} value={state}>
                  {wordOf(state)}
                </option>
              ))}
            </Select>
          )}
          <Consequences preview={preview} />
          <PublishBar
            preview={preview}
            isCurrent={isCurrent}
            error={errors['']}
            state={outbox.state}
            mayPublish={session.has('PUBLISHER', draft.pageId)}
            onPublish={publish}
            onConfirm={outbox.confirm}
            onDiscard={outbox.discard}
          />
        </form>
        <Previews pageId={draft.pageId} preview={preview} tab={tab} onTab={setTab} />
      </div>
    </>
  );
}

/** What stands in the way before the service is asked. */
function findMissing({ subject, content }: Draft): Record<string, string> {
  const placeholders = (text: string) => {
    const found = findPlaceholders(text);
    return found.length ? { error: `Fill in ${found.join(', ')} first.` } : {};
  };
  const errors = {
    subject: subject.trim() ? placeholders(subject).error : 'Say in one line what this is about.',
    content: placeholders(content).error,
  };
  return Object.fromEntries(Object.entries(errors).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
