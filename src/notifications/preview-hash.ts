import { createHash } from 'node:crypto';
import { invalid, Refusal } from '../core/errors.js';
import { problems } from '../core/problems.js';
import { queryInTransaction, type RunQuery } from '../db/prepared-statements.js';
import type { NoticeState } from '../notices/notice.states.js';
import type { Unit } from '../records/writer.js';
import { type Audience, loadAudiences, type PublicationRow } from './preview/preview.queries.js';

/** What the author of a publication has seen. */
export interface SeenPublication {
  publication: PublicationRow;
  audiences: readonly Audience[];
  noticeState: NoticeState | null;
  /** Of the components whose state changes. */
  componentStates: readonly { id: number; state: string }[];
}

/** Without what only a saved notice has: ids, links, the version and the times of the change. */
function selectText({ message_snapshot: { event, text, page, notice, updates } }: PublicationRow) {
  const { type, state, subject, beginsAt, endsAt, nextUpdateBy, components } = notice;
  return [
    [event, text, page.name, page.locale, page.zone],
    [type, state, subject, beginsAt, endsAt, nextUpdateBy, components],
    updates.map(({ content, kind, state: posted }) => [content, kind, posted]),
  ];
}

const parts: Record<string, (seen: SeenPublication) => unknown> = {
  text: ({ publication }) => selectText(publication),
  states: ({ noticeState, componentStates }) => [
    noticeState,
    componentStates.map(({ id, state }) => [id, state]).toSorted(([one], [other]) => Number(one) - Number(other)),
  ],
  audience: ({ audiences }) =>
    audiences.filter(({ reason }) => reason === null).map(({ channel, count }) => [channel, count]),
};

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** One digest for each part, so that a difference can be named. */
export const hashPreview = (seen: SeenPublication): string =>
  Object.values(parts)
    .map(select => digest(select(seen)))
    .join('-');

const list = new Intl.ListFormat('en');

/**
 * Refuses a publication that is not the one that was previewed, in its transaction: what is compared is what would be
 * committed.
 */
export async function checkPreviewHash(
  unit: Unit,
  hash: string | null | undefined,
  publicationId: number | null,
  noticeState: NoticeState | null,
  changedComponents: readonly number[],
): Promise<void> {
  if (hash == null) return;
  if (publicationId === null)
    throw invalid({ previewHash: [problems.notApplicable('must be omitted when nothing is published')] });
  const run = queryInTransaction(unit.em);
  const expected = hash.split('-');
  const actual = hashPreview({
    publication: await loadSavedPublication(run, publicationId),
    audiences: await loadAudiences(run, publicationId),
    noticeState,
    componentStates: await run('select id, state from component where id = any($1::integer[])', [changedComponents]),
  }).split('-');
  const different = Object.keys(parts).filter((_, at) => expected[at] !== actual[at]);
  if (different.length)
    throw new Refusal(
      'PRECONDITION_FAILED',
      `Nothing was published, since the ${list.format(different)} would differ from the preview. Preview it again.`,
      { path: ['previewHash'] },
    );
}

async function loadSavedPublication(run: RunQuery, id: number): Promise<PublicationRow> {
  const [row] = await run<PublicationRow>('select message_snapshot, scope from publication where id = $1', [id]);
  return row!;
}
