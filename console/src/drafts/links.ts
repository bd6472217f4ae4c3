import type { DraftRowFragment, DraftVerb, NoticeChangeInput } from '../api/documents.ts';
import { formatTime } from '../api/times.ts';
import { toInput } from './change.ts';
import { compareStates } from '../ui/state-icon.tsx';

/** Where each kind of draft is continued; those without a form belong to the screen of their notice. */
const forms: Partial<Record<DraftVerb, string>> = {
  OPEN_INCIDENT: 'incident',
  SCHEDULE_MAINTENANCE: 'maintenance',
  ANNOUNCE: 'announcement',
};

export const verbNames: Record<DraftVerb, string> = {
  OPEN_INCIDENT: 'Incident',
  SCHEDULE_MAINTENANCE: 'Maintenance',
  ANNOUNCE: 'Announcement',
  ADVANCE_NOTICE: 'Update',
  UPDATE_NOTICE: 'Update',
  CREATE_NOTICE_UPDATE: 'Update',
};

interface Target {
  verb: DraftVerb;
  noticeId?: string | undefined;
}

/** The form in which a draft is continued. */
export function toForm(pageId: string, id: string, { verb, noticeId }: Target): string {
  const form = forms[verb];
  return form ? `/new/${form}?page=${pageId}&draft=${id}` : `/pages/${pageId}/notices/${noticeId}?draft=${id}`;
}

/** The screen on which exactly the preview with this hash is reviewed. */
export const toReview = (pageId: string, id: string, hash: string): string =>
  `/pages/${pageId}/drafts/${id}?preview=${encodeURIComponent(hash)}`;

/** The input of the mutation that a draft is for. */
export const getDraftInput = ({ change }: Pick<DraftRowFragment, 'change'>): object => getInput(toInput(change));

export const getInput = (input: NoticeChangeInput): object => (Object.values(input) as object[])[0] ?? {};

export const describeDraft = ({ author, updatedAt }: DraftRowFragment): string =>
  `Draft, saved by ${author.label}, ${formatTime(updatedAt)}`;

/** The worst impact that the draft of an incident names, or the state that it gives the notice. */
export function getDraftState(draft: Pick<DraftRowFragment, 'change' | 'verb'>): string | null {
  const { affectedComponents, state } = getDraftInput(draft) as DraftedNotice;
  const impacts = affectedComponents?.map(({ impact }) => impact ?? 'DEGRADED').sort(compareStates) ?? [];
  if (draft.verb === 'SCHEDULE_MAINTENANCE') return 'MAINTENANCE';
  if (draft.verb === 'OPEN_INCIDENT') return impacts[0] ?? 'DEGRADED';
  return impacts[0] ?? state ?? null;
}

interface DraftedNotice {
  affectedComponents?: { impact?: string }[] | null;
  state?: string | null;
}
