import {
  AnnounceDocument,
  type DraftVerb,
  type Impact,
  type IncidentState,
  type NoticeType,
  OpenIncidentDocument,
  type NoticeChangeInput,
  type Reminder,
  ScheduleMaintenanceDocument,
} from '../api/documents.ts';
import type { Choice } from '../components/picker-tree.tsx';
import { fromNextUpdateBy, type NextUpdate, noNextUpdate } from '../publishing/next-update.ts';
import type { PublishingDocument } from '../publishing/sending.ts';
import { fromRecurrence, never, type Repeats, type SavedRecurrence, toRecurrence } from '../recurrence/repeats.ts';

/** What is being written, of any kind. */
export interface Draft {
  pageId: string;
  subject: string;
  content: string;
  choice: Choice;
  /** The other pages that it is published on, with the components there. */
  others: Record<string, Choice>;
  state: IncidentState;
  nextUpdate: NextUpdate;
  beginsAt: string;
  endsAt: string;
  isAutomatic: boolean;
  reminder: Reminder;
  repeats: Repeats;
  /** What a saved draft has and the form has not. */
  rest: object;
  /** Of the saved draft that it was continued from. */
  version?: number;
}

interface Kind {
  type: NoticeType;
  title: string;
  subjectHint: string;
  /** Neutral: it could be sent as it is. */
  text: string;
  document: PublishingDocument<never>;
  verb: keyof NoticeChangeInput;
  draftVerb: DraftVerb;
  toInput(draft: Draft, choice: Choice): object;
}

const common = ({ subject, content, nextUpdate: { by }, rest }: Draft) => ({
  ...rest,
  subject,
  content,
  ...(by && { nextUpdateBy: by }),
});

/** The forms: one line each, and what differs between them. */
export const kinds: Record<string, Kind> = {
  incident: {
    type: 'UNPLANNED',
    title: 'Report an incident',
    subjectHint: 'What people notice, such as “Card payments fail”.',
    text: 'We are investigating this, and will post an update as soon as we know more.',
    document: OpenIncidentDocument,
    verb: 'openIncident',
    draftVerb: 'OPEN_INCIDENT',
    toInput: (draft, choice) => ({
      ...common(draft),
      state: draft.state,
      affectedComponents: Object.entries(choice).map(([componentId, impact]) => ({ componentId, impact })),
    }),
  },
  maintenance: {
    type: 'PLANNED',
    title: 'Schedule maintenance',
    subjectHint: 'What is being done, such as “Invoices move to a new database”.',
    text: 'We will carry out maintenance in this window, and will post an update when it is complete.',
    document: ScheduleMaintenanceDocument,
    verb: 'scheduleMaintenance',
    draftVerb: 'SCHEDULE_MAINTENANCE',
    toInput: (draft, choice) => ({
      ...common(draft),
      componentIds: Object.keys(choice),
      beginsAt: draft.beginsAt,
      endsAt: draft.endsAt,
      shouldAutomateSchedule: draft.isAutomatic,
      reminder: draft.reminder,
      recurrence: toRecurrence(draft.repeats, draft.beginsAt) ?? undefined,
    }),
  },
  announcement: {
    type: 'GENERAL',
    title: 'Make an announcement',
    subjectHint: 'A short summary in one line.',
    text: '',
    document: AnnounceDocument,
    verb: 'announce',
    draftVerb: 'ANNOUNCE',
    toInput: (draft, choice) => ({ ...common(draft), componentIds: Object.keys(choice) }),
  },
};

const hourMs = 3_600_000;

/** The window begins at the next full hour but one. */
export function newDraft(kind: Kind, pageId: string): Draft {
  const begin = Math.ceil(Date.now() / hourMs + 1) * hourMs;
  return {
    pageId,
    subject: '',
    content: kind.text,
    choice: {},
    others: {},
    state: 'INVESTIGATING',
    nextUpdate: noNextUpdate,
    beginsAt: new Date(begin).toISOString(),
    endsAt: new Date(begin + hourMs).toISOString(),
    isAutomatic: true,
    reminder: 'NONE',
    repeats: never,
    rest: {},
  };
}

type SavedInput = Partial<Pick<Draft, 'subject' | 'content' | 'state' | 'beginsAt' | 'endsAt' | 'reminder'>> & {
  componentIds?: string[] | null;
  affectedComponents?: { componentId: string; impact: Impact }[] | null;
  shouldAutomateSchedule?: boolean;
  nextUpdateBy?: string | null;
  recurrence?: SavedRecurrence | null;
  shouldPublish?: boolean;
};

/** What a saved draft has for the form: the opposite of `toInput`. */
export function fromInput(input: SavedInput): Partial<Draft> {
  const { subject, content, state, beginsAt, endsAt, reminder, nextUpdateBy, ...others } = input;
  const { componentIds, affectedComponents, shouldAutomateSchedule: isAutomatic, recurrence, ...rest } = others;
  delete rest.shouldPublish;
  const named = affectedComponents ?? componentIds?.map(componentId => ({ componentId, impact: 'DEGRADED' as const }));
  const choice = Object.fromEntries(named?.map(({ componentId, impact }) => [componentId, impact]) ?? []);
  const fields = { subject, content, state, beginsAt, endsAt, reminder, isAutomatic };
  const values = Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));
  const repeats = recurrence ? fromRecurrence(recurrence) : never;
  return { ...values, repeats, nextUpdate: fromNextUpdateBy(nextUpdateBy), choice, rest };
}

/** What the author must fill in, in a template: `{{region}}` or `[region]` in capitals. */
export const findPlaceholders = (text: string): string[] => text.match(/\{\{[^{}]+\}\}|\[[A-Z][A-Z _-]+\]/g) ?? [];

/** What stands in the way before the service is asked. */
export function findMissing({ subject, content }: Draft): Record<string, string> {
  const placeholders = (text: string) => {
    const names = findPlaceholders(text);
    return names.length ? `Fill in ${names.join(', ')} first.` : undefined;
  };
  const ofSubject = subject.trim() ? placeholders(subject) : 'Enter a subject.';
  const errors = { subject: ofSubject, content: placeholders(content) };
  return Object.fromEntries(Object.entries(errors).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
