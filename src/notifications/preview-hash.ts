import { createHash } from 'node:crypto';
import { invalid, Refusal } from '../core/errors.js';
import { problems } from '../core/problems.js';
import { queryInTransaction } from '../db/prepared-statements.js';
import type { Unit } from '../records/unit.js';
import { type Audience, loadAudiences, loadPublication, type PublicationRow } from './audience.queries.js';

interface StateChange {
  id: number;
  after: string;
}

interface SeenPublication {
  publication: PublicationRow;
  audiences: readonly Audience[];
  stateChanges: readonly StateChange[];
}

/** Without what only a saved notice has: ids, links, the version and the times of the change. */
function selectText({ message_snapshot: { event, text, page, notice, updates } }: PublicationRow) {
  const { type, state, subject, beginsAt, endsAt, nextUpdateBy, components, furtherWindows } = notice;
  return [
    [event, text, page.name, page.locale, page.zone],
    [type, state, subject, beginsAt, endsAt, nextUpdateBy, components, furtherWindows],
    updates.map(({ content, kind, state: posted }) => [content, kind, posted]),
  ];
}

const parts: Record<string, (seen: SeenPublication) => unknown> = {
  text: ({ publication }) => selectText(publication),
  states: ({ publication, stateChanges }) => [
    publication.message_snapshot.notice.state,
    stateChanges.map(({ id, after }) => [id, after]).toSorted(([one], [other]) => Number(one) - Number(other)),
  ],
  audience: ({ audiences }) =>
    audiences.filter(({ reason }) => reason === null).map(({ channel, count }) => [channel, count]),
  appearance: ({ publication: { message_snapshot: snapshot } }) => {
    const { address, supportEmail, brand, images } = snapshot.page;
    return [address, supportEmail, brand, images];
  },
};

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** One digest for each part, so that a difference can be named. */
export const hashPreview = (seen: SeenPublication): string =>
  Object.values(parts)
    .map(select => digest(select(seen)))
    .join('-');

const unchecked = '*';

/** The same hash for a publication whose recipients may be others by then. */
export const ignoreAudience = (hash: string): string =>
  Object.keys(parts)
    .map((name, at) => (name === 'audience' ? unchecked : hash.split('-')[at]))
    .join('-');

/** Nothing if the same author has published a preview with this hash within a minute. Writes lock the page. */
const useHashSql = `
  update publication p set preview_hash = $2 where id = $1 and not exists (
    select 1 from publication other
    where other.preview_hash = $2 and other.page_id = p.page_id and other.made_by = p.made_by
      and other.created_at > p.created_at - interval '1 minute')
  returning 1`;

const list = new Intl.ListFormat('en');

/** Refuses a publication that differs from its preview. In its transaction: compared is what would be committed. */
export async function checkPreviewHash(
  unit: Unit,
  hash: string | null | undefined,
  publicationId: number | null,
  stateChanges: readonly StateChange[],
): Promise<void> {
  if (hash == null) return;
  if (publicationId === null)
    throw invalid({ previewHash: [problems.notApplicable('must be omitted when nothing is published')] });
  const run = queryInTransaction(unit.em);
  const expected = hash.split('-');
  const publication = await loadPublication(run, publicationId);
  const audiences = await loadAudiences(run, publication);
  const actual = hashPreview({ publication, audiences, stateChanges }).split('-');
  const different = Object.keys(parts).filter((_, at) => expected[at] !== unchecked && expected[at] !== actual[at]);
  if (different.length)
    throw new Refusal(
      'PRECONDITION_FAILED',
      `Nothing was published, since the ${list.format(different)} would differ from the preview. Preview it again.`,
      { path: ['previewHash'], changedParts: different.map(part => part.toUpperCase()) },
    );
  if (!(await run(useHashSql, [publicationId, hash])).length)
    throw new Refusal(
      'PRECONDITION_FAILED',
      'Nothing was published, since you published exactly this less than a minute ago.',
      { path: ['previewHash'] },
    );
}
