import { readFlag, unwrap } from '../../core/read-flag.js';
import { parseTimestamp } from '../../core/timestamp.js';
import type { ImportedKind } from './imported-page.js';

/** The reason for which a hidden record is left out. */
export const notShown = 'is not shown to visitors';

/** Fields by which products show a record, without underscores, in lower case. */
const showing = new Set([
  'enabled',
  'isenabled',
  'visible',
  'isvisible',
  'public',
  'ispublic',
  'published',
  'ispublished',
  'publishedat',
]);
/** Of components only: an incident that is not active is over. */
const showingComponents = new Set(['active', 'isactive']);
/** Fields by which they hide it: by a yes, or by a time. */
const hiding = new Set([
  'hidden',
  'ishidden',
  'private',
  'isprivate',
  'internal',
  'isinternal',
  'unlisted',
  'draft',
  'isdraft',
  'disabled',
  'isdisabled',
  'archived',
  'isarchived',
  'archivedat',
  'deleted',
  'isdeleted',
  'deletedat',
]);
/** Fields that have one of several words. */
const visibilities = new Set(['visibility', 'audience']);
const publicWords = new Set(['public', 'visible', 'everyone', 'guest', 'guests', 'all', 'anyone']);

/** Fields by which a page is for some visitors only: any value but a no. */
const restricting = new Set([
  'viewersmustbeteammembers',
  'iprestrictions',
  'ipallowlist',
  'passwordenabled',
  'passwordprotected',
  'private',
  'isprivate',
  'hidden',
  'password',
  'ssoenabled',
]);
const showingPages = new Set(['published', 'ispublished', 'public', 'ispublic']);

/** Whether visitors of the source do not see a record. A value that is not known hides it. */
export const isHidden = (row: unknown, kind: ImportedKind): boolean =>
  listFields(row).some(([name, value]) => {
    if (showing.has(name) || (kind === 'component' && showingComponents.has(name))) return !showsRecord(value);
    if (hiding.has(name)) return isSet(value);
    return visibilities.has(name) && isSet(value) && !publicWords.has(String(value).trim().toLowerCase());
  });

/** Whether a page of the source is not for everybody. */
export const isPrivatePage = (page: unknown): boolean =>
  listFields(page).some(([name, value]) =>
    showingPages.has(name) ? !showsRecord(value) : restricting.has(name) && isSet(value),
  );

/** The fields of a row, and those of its attributes in JSON:API. */
function listFields(row: unknown): [name: string, value: unknown][] {
  if (typeof row !== 'object' || row === null) return [];
  const { attributes } = row as { attributes?: unknown };
  const own = Object.entries(row).map(([name, value]): [string, unknown] => [
    name.replace(/[^a-z]/gi, '').toLowerCase(),
    value,
  ]);
  return attributes === undefined ? own : [...own, ...listFields(attributes)];
}

/** A time says since when it is shown; one of the future hides it. Without an offset it counts as UTC. */
function showsRecord(value: unknown): boolean {
  const flag = readFlag(value);
  if (flag !== undefined) return flag !== false;
  const text = unwrap(value);
  const since = typeof text === 'string' ? parseTimestamp(text.trim()) : null;
  return since !== null && since <= new Date();
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  const flag = readFlag(value);
  return flag === undefined || flag === true;
}
