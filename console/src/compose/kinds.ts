import {
  AnnounceDocument,
  type IncidentState,
  type NoticeType,
  OpenIncidentDocument,
  type PreviewPublicationInput,
  type Reminder,
  ScheduleMaintenanceDocument,
} from '../api/documents.ts';
import type { Choice } from '../components/picker.tsx';

/** What is being written, of any kind. */
export interface Draft {
  pageId: string;
  subject: string;
  content: string;
  choice: Choice;
  state: IncidentState;
  beginsAt: string;
  endsAt: string;
  isAutomatic: boolean;
  reminder: Reminder;
}

interface Kind {
  type: NoticeType;
  title: string;
  subjectHint: string;
  /** Neutral: it could be sent as it is. */
  text: string;
  document: typeof OpenIncidentDocument | typeof ScheduleMaintenanceDocument | typeof AnnounceDocument;
  verb: keyof PreviewPublicationInput;
  toInput(draft: Draft): object;
}

const common = ({ subject, content }: Draft) => ({ subject, content });

/** The forms: one line each, and what differs between them. */
export const kinds: Record<string, Kind> = {
  incident: {
    type: 'UNPLANNED',
    title: 'Report an incident',
    subjectHint: 'What people notice, such as “Card payments fail”.',
    text: 'We are investigating this, and will post an update as soon as we know more.',
    document: OpenIncidentDocument,
    verb: 'openIncident',
    toInput: draft => ({
      ...common(draft),
      state: draft.state,
      affectedComponents: Object.entries(draft.choice).map(([componentId, impact]) => ({ componentId, impact })),
    }),
  },
  maintenance: {
    type: 'PLANNED',
    title: 'Schedule maintenance',
    subjectHint: 'What is being done, such as “Invoices move to a new database”.',
    text: 'We will carry out maintenance in this window, and will post an update when it is complete.',
    document: ScheduleMaintenanceDocument,
    verb: 'scheduleMaintenance',
    toInput: draft => ({
      ...common(draft),
      componentIds: Object.keys(draft.choice),
      beginsAt: draft.beginsAt,
      endsAt: draft.endsAt,
      shouldAutomateSchedule: draft.isAutomatic,
      reminder: draft.reminder,
    }),
  },
  announcement: {
    type: 'GENERAL',
    title: 'Make an announcement',
    subjectHint: 'One line that says it.',
    text: '',
    document: AnnounceDocument,
    verb: 'announce',
    toInput: draft => ({ ...common(draft), componentIds: Object.keys(draft.choice) }),
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
    state: 'INVESTIGATING',
    beginsAt: new Date(begin).toISOString(),
    endsAt: new Date(begin + hourMs).toISOString(),
    isAutomatic: true,
    reminder: 'NONE',
  };
}

/** What the author must fill in, in a template: `{{region}}` or `[region]` in capitals. */
export const findPlaceholders = (text: string): string[] => text.match(/\{\{[^{}]+\}\}|\[[A-Z][A-Z _-]+\]/g) ?? [];
