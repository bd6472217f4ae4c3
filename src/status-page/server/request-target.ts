import { type Locale, locales } from '../../i18n/locales.js';
import type { Asked, Face } from './public-route.js';
import { faces } from './public-routes.js';

/** What a request asks of a page. `key` is the same for all that ask for the same drawing. */
export interface Route {
  key: string;
  face: Face;
  asked: Asked;
  /** The language asked for; null is the page's own. */
  locale: Locale | null;
}

/** Longer than any value that a face knows of. */
const longestValue = 64;

const table = faces.map(face => ({ face, parts: face.path.split('/') }));

/** The face at a path below the place of a page (`notices/abc`, without the first slash), with the parameters that it looks at; null is a 404. */
export function routeOf(path: string, query: string): Route | null {
  const given = path.split('/').map(decode);
  const parameters = new URLSearchParams(query);
  for (const { face, parts } of table) {
    const found = match(parts, given);
    if (!found) continue;
    const asked: Asked = { path: found, query: {} };
    for (const name of face.query ?? []) {
      const value = parameters.get(name);
      if (value && name !== 'lang' && value.length <= longestValue) asked.query[name] = value;
    }
    const wanted = face.query?.includes('lang') ? parameters.get('lang')?.toLowerCase() : undefined;
    const locale = locales.find(one => one.toLowerCase() === wanted) ?? null;
    return { key: JSON.stringify([face.path, Object.values(found), asked.query, locale]), face, asked, locale };
  }
  return null;
}

function match(parts: readonly string[], given: readonly (string | null)[]): Record<string, string> | null {
  if (parts.length !== given.length) return null;
  const found: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = given[index];
    if (value === null || value === undefined) return null;
    if (part.startsWith(':')) {
      if (!value || value.length > 200) return null;
      found[part.slice(1)] = value;
    } else if (part !== value) return null;
  }
  return found;
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
