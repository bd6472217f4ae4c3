import { invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { type Parameter, type Parameters, UploadedFile } from '../request/parameters.js';

/** Reads the fields of a request, which a form has as texts. Undefined: the request does not have it. */
export class Fields {
  constructor(private readonly input: Parameters) {}

  text(name: string): string | undefined {
    const value = this.input[name];
    return value === undefined || value === null ? undefined : toText(name, value);
  }

  /** The value in a table for the text of a field. A blank text counts as absent. */
  choice<Value>(name: string, table: Readonly<Record<string, Value>>): Value | undefined {
    const text = this.text(name);
    return text ? choose(name, text, table) : undefined;
  }

  flag(name: string): boolean | undefined {
    const text = this.text(name)?.toLowerCase();
    if (text === undefined || text === '') return undefined;
    return ['true', 't', '1'].includes(text);
  }

  list(name: string): string[] | undefined {
    const value = this.input[name];
    if (value === undefined || value === null || value === '') return undefined;
    return (Array.isArray(value) ? value : [value]).map(member => toText(name, member));
  }

  /** A map, or a list of its keys: then without values. */
  map(name: string): Map<string, string | null> | undefined {
    const value = this.input[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'object' || value instanceof UploadedFile)
      throw invalid({ [name]: [problems.invalid('must be a map or a list')] });
    if (Array.isArray(value)) return new Map(value.map(id => [toText(name, id), null]));
    return new Map(Object.entries(value).map(([id, member]) => [id, toText(name, member)]));
  }

  /** The number of a page and how many records it has, which is 100 as in Statuspage. */
  paging(): { page: number; perPage: number } {
    const read = (text: string | undefined, fallback: number) =>
      /^[1-9]\d{0,5}$/.test(text ?? '') ? Number(text) : fallback;
    const size = read(this.text('per_page') ?? this.text('limit'), maximumPageSize);
    return { page: read(this.text('page'), 1), perPage: Math.min(size, maximumPageSize) };
  }
}

const maximumPageSize = 100;

/** Refuses what is no text: a member that is left out can make a list mean everything. */
function toText(name: string, value: Parameter): string {
  if (typeof value === 'object') throw invalid({ [name]: [problems.invalid('must be a text')] });
  return String(value);
}

export function choose<Value>(name: string, text: string, table: Readonly<Record<string, Value>>): Value {
  const value = Object.hasOwn(table, text) ? table[text] : undefined;
  if (value === undefined) throw invalid({ [name]: [problems.notIncluded(Object.keys(table))] });
  return value;
}
