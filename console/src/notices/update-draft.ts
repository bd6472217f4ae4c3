import type { NoticeDetailFragment, NoticeState, UpdateNoticeInput } from '../api/documents.ts';
import { fromNextUpdateBy, type NextUpdate, noNextUpdate } from '../publishing/next-update.ts';

/** An update that is being written. */
export interface UpdateDraft {
  /** Null: the state stays. */
  state: NoticeState | null;
  content: string;
  /** Components on which an incident goes on, though it is over for the others. */
  stillAffected: string[];
  /** How much longer a maintenance takes; 0: as planned. */
  extensionMs: number;
  nextUpdate: NextUpdate;
  /** What a saved draft has and the form has not. */
  rest: object;
  /** Of the saved draft that it was continued from. */
  version?: number;
  /** The newest update of the notice when the text was begun; null: it had none. */
  begunAfter?: string | null;
}

export const emptyUpdate: UpdateDraft = {
  state: null,
  content: '',
  stillAffected: [],
  extensionMs: 0,
  rest: {},
  nextUpdate: noNextUpdate,
};

const overStates: readonly (NoticeState | null)[] = ['RESOLVED', 'FALSE_ALARM', 'COMPLETE', 'CANCELLED'];

/** Whether another update can follow the one that is being written. */
export const canFollow = (notice: NoticeDetailFragment, draft: UpdateDraft): boolean =>
  notice.state !== null && (isPartlyResolved(draft) || !overStates.includes(draft.state ?? notice.state));

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

const list = new Intl.ListFormat('en');

/** Whether the incident is over for some components, and goes on for others. */
export const isPartlyResolved = ({ state, stillAffected }: UpdateDraft): boolean =>
  state === 'RESOLVED' && stillAffected.length > 0;

/** The components that are not operational again. */
export const listAffected = ({ affectedComponents }: NoticeDetailFragment) =>
  affectedComponents.filter(({ recoveredAt }) => !recoveredAt);

/** A text that can be sent as it is. */
export function suggestText(notice: NoticeDetailFragment, draft: UpdateDraft): string {
  if (isPartlyResolved(draft)) {
    const names = (isAffected: boolean) =>
      listAffected(notice)
        .filter(({ component }) => draft.stillAffected.includes(component.id) === isAffected)
        .map(({ component }) => component.name);
    const over = names(false);
    const open = names(true);
    const still = `${list.format(open)} ${open.length === 1 ? 'is' : 'are'} still affected.`;
    return over.length ? `This is resolved for ${list.format(over)}. ${still}` : still;
  }
  if (draft.state) return neutralTexts[draft.state];
  return draft.extensionMs ? 'This maintenance takes longer than planned. We have moved its end.' : '';
}

const findNewest = (notice: NoticeDetailFragment) => notice.updates.nodes.at(-1);

/** An update that somebody else has posted since the text was begun. */
export const findNewerUpdate = (notice: NoticeDetailFragment, { begunAfter }: UpdateDraft) => {
  const newest = findNewest(notice);
  return begunAfter !== undefined && newest && newest.id !== begunAfter ? newest : undefined;
};

/** The draft with a change; a text that nobody has written follows it. */
export function changeUpdate(
  notice: NoticeDetailFragment,
  draft: UpdateDraft,
  change: Partial<UpdateDraft>,
): UpdateDraft {
  const isBegun = draft.content.trim() && draft.begunAfter !== undefined;
  const next = { ...draft, ...change, ...(!isBegun && { begunAfter: findNewest(notice)?.id ?? null }) };
  const isSuggested = !draft.content.trim() || draft.content === suggestText(notice, draft);
  return isSuggested && change.content === undefined ? { ...next, content: suggestText(notice, next) } : next;
}

export function toUpdateInput(notice: NoticeDetailFragment, draft: UpdateDraft) {
  const { content, state, stillAffected, extensionMs, nextUpdate, rest } = draft;
  const deadline = nextUpdate.by && canFollow(notice, draft) ? { nextUpdateBy: nextUpdate.by } : {};
  if (isPartlyResolved(draft)) {
    const affectedComponents = notice.affectedComponents.map(({ component, impact }) => ({
      componentId: component.id,
      impact,
      hasRecovered: !stillAffected.includes(component.id),
    }));
    return { ...rest, ...deadline, content, affectedComponents };
  }
  const endsAt = extensionMs && 'endsAt' in notice && new Date(Date.parse(notice.endsAt) + extensionMs).toISOString();
  return { ...rest, ...deadline, content, ...(state && { state }), ...(endsAt && { endsAt }) };
}

/** What a saved draft has for the form. */
export function fromUpdateInput(input: Partial<UpdateNoticeInput>): Partial<UpdateDraft> {
  const { content, state, nextUpdateBy, shouldPublish: _, ...rest } = input;
  return { content: content ?? '', state: state ?? null, nextUpdate: fromNextUpdateBy(nextUpdateBy), rest };
}
