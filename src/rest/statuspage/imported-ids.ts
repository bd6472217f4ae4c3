import { emptyParameters, type Parameter, type Parameters, UploadedFile } from '../request/parameters.js';
import type { StatuspageRequest } from './route.js';

const FindImported = /* GraphQL */ `
  query FindStatuspageRecords($page: ID!, $ids: [ID!]!) {
    result: importedRecords(pageId: $page, sourceIds: $ids) { sourceId recordId }
  }`;

export const importedIdDocuments = [FindImported];

/** Ids of Statuspage are 12 letters and digits; those of All Clear are digits. */
const idPattern = /^(?=.*[a-z])[a-z0-9]{12}$/;

type Request = Pick<StatuspageRequest, 'path' | 'input' | 'run'>;
type Ids = ReadonlyMap<string, string>;

/**
 * Replaces the ids of Statuspage by those of the records that were imported from there, so that tools which have them
 * in their settings need none of ours.
 */
export async function replaceImportedIds({ path, input, run }: Request): Promise<Pick<Request, 'path' | 'input'>> {
  const sent = [path.id, path.incident ?? '', ...Object.values(pickIds(input)).flatMap(listTexts)];
  const ids = [...new Set(sent.filter(id => id && idPattern.test(id)))].slice(0, 100);
  if (!ids.length) return { path, input };
  const records = await run<{ sourceId: string; recordId: string }[]>(FindImported, { page: path.page, ids });
  const found = new Map(records.map(({ sourceId, recordId }) => [sourceId, String(recordId)]));
  const replaced = Object.entries(pickIds(input)).map(([name, value]) => [name, replace(value, found)]);
  return {
    path: {
      ...path,
      id: found.get(path.id) ?? path.id,
      ...(path.incident && { incident: found.get(path.incident) ?? path.incident }),
    },
    input: Object.assign(emptyParameters(), input, Object.fromEntries(replaced)),
  };
}

/** A text may have several, with commas between them. */
export const splitIds = (text: string): string[] => text.split(',').map(id => id.trim());

/** The fields that have ids of components. */
const pickIds = ({ component_ids, components, group_id }: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries({ component_ids, components, group_id }).filter(([, value]) => value !== undefined),
  ) as Parameters;

const isMap = (value: Parameter): value is Parameters =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof UploadedFile);

/** The texts of a list, and the keys and ids of maps. */
function listTexts(value: Parameter): string[] {
  if (Array.isArray(value)) return value.flatMap(listTexts);
  if (isMap(value)) return [...Object.keys(value), ...(typeof value.id === 'string' ? [value.id] : [])];
  return typeof value === 'string' ? splitIds(value) : [];
}

function replace(value: Parameter, ids: Ids): Parameter {
  if (Array.isArray(value)) return value.map(member => replace(member, ids));
  if (typeof value === 'string')
    return splitIds(value)
      .map(id => ids.get(id) ?? id)
      .join();
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [
    ids.get(key) ?? key,
    key === 'id' ? replace(member, ids) : member,
  ]);
  return Object.assign(emptyParameters(), Object.fromEntries(entries));
}
