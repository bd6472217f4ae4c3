import { useSession } from '../api/session.ts';
import { ComponentPicker } from '../components/picker.tsx';
import type { Choice } from '../components/picker-tree.tsx';
import { ContentArea } from '../images/content-area.tsx';
import { ScreenBoundary } from '../layout/screen.tsx';
import { NextUpdateField } from '../publishing/next-update-field.tsx';
import type { Previewed } from '../publishing/use-preview.ts';
import { Options, Select, TextField } from '../ui/field.tsx';
import type { FieldErrors } from '../ui/field-errors.ts';
import { wordOf } from '../ui/state-label.tsx';
import { listChoices } from './choices.ts';
import type { Draft, kinds } from './kinds.ts';
import { PagesField } from './pages-field.tsx';
import { TemplatePicker } from './template-picker.tsx';
import { WindowFields } from './window-fields.tsx';

const states = ['INVESTIGATING', 'IDENTIFIED', 'RECOVERING'] as const;

interface Props {
  kind: (typeof kinds)[string];
  draft: Draft;
  previews: Previewed[];
  isSaved: boolean;
  errors: FieldErrors;
  onChange: (fields: Partial<Draft>) => void;
}

/** Those that say what was refused. */
export const shownFields = [
  'subject',
  'content',
  'componentIds',
  'affectedComponents',
  'nextUpdateBy',
  'beginsAt',
  'endsAt',
  'recurrence',
];

/** What a person writes of a notice, of any kind. */
export function FormFields({ kind, draft, previews, isSaved, errors, onChange }: Props) {
  const { pages } = useSession();
  const isIncident = kind.type === 'UNPLANNED';
  const choices = listChoices(draft);
  const pick = (pageId: string, choice: Choice) =>
    onChange(pageId === draft.pageId ? { choice } : { others: { ...draft.others, [pageId]: choice } });
  return (
    <>
      <PagesField draft={draft} isSaved={isSaved} onChange={onChange} />
      <TemplatePicker pageId={draft.pageId} type={kind.type} onChoose={onChange} />
      <TextField
        label="Subject"
        hint={kind.subjectHint}
        error={errors.subject}
        value={draft.subject}
        maxLength={255}
        autoComplete="off"
        autoFocus
        onChange={event => onChange({ subject: event.target.value })}
      />
      <ContentArea
        pageIds={choices.map(([pageId]) => pageId)}
        error={errors.content}
        value={draft.content}
        onChange={content => onChange({ content })}
      />
      {kind.type === 'PLANNED' && (
        <WindowFields draft={draft} previews={previews} errors={errors} onChange={onChange} />
      )}
      {choices.map(([pageId, choice]) => (
        <ScreenBoundary key={pageId} isPart>
          <ComponentPicker
            pageId={pageId}
            pageName={choices.length > 1 ? pages.find(({ id }) => id === pageId)?.name : undefined}
            choice={choice}
            hasImpacts={isIncident}
            error={errors.componentIds ?? errors.affectedComponents}
            onChange={picked => pick(pageId, picked)}
          />
        </ScreenBoundary>
      ))}
      {isIncident && (
        <Select
          label="State"
          value={draft.state}
          onChange={event => onChange({ state: event.target.value as Draft['state'] })}
        >
          <Options of={states.map(state => [state, wordOf(state)])} />
        </Select>
      )}
      {isIncident && (
        <NextUpdateField
          value={draft.nextUpdate}
          error={errors.nextUpdateBy}
          onChange={nextUpdate => onChange({ nextUpdate })}
        />
      )}
    </>
  );
}
