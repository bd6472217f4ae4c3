import { badRequest, invalid } from '../../core/errors.js';
import { problems } from '../../core/problems.js';
import { readFlag } from '../../core/read-flag.js';
import { type Parameter, type Parameters, UploadedFile } from '../request/parameters.js';
import { splitIds } from './imported-ids.js';
import type { Warnings } from './warnings.js';

/**
 * Reads the fields of a request, which a form has as texts. Undefined: the request does not have it. Where `warnings`
 * are given, a value that cannot be taken counts as absent, with a warning.
 */
export class Fields {
  constructor(
    private readonly input: Parameters,
    private readonly warnings?: Warnings,
  ) {}

  text(name: string): string | undefined {
    const value = this.input[name];
    return value === undefined || value === null ? undefined : toText(name, value);
  }

  has(name: string): boolean {
    return this.input[name] !== undefined;
  }

  isBlank(name: string): boolean {
    const value = this.input[name];
    return value === undefined || value === null || value === '';
  }

  warn(sentence: string): void {
    this.warnings?.add(sentence);
  }

  /** A text that is stored and not shown. */
  shortText(name: string): string | undefined {
    return this.cutText(name, 1_000);
  }

  number(name: string): number | undefined {
    const text = this.text(name)?.trim();
    const number = Number(text);
    if (text && Number.isFinite(number)) return number;
    if (text) this.warn(`${name} was ignored: ${JSON.stringify(text.slice(0, 60))} is not a number.`);
    return undefined;
  }

  /** An object of JSON. */
  object(name: string): Record<string, unknown> | undefined {
    const value = this.input[name];
    if (this.isBlank(name) || isRecord(value!)) return value as Record<string, unknown> | undefined;
    this.warn(`${name} was ignored: it must be an object.`);
    return undefined;
  }

  /** A text that is cut where it has more characters than can be stored. */
  cutText(name: string, maxLength: number): string | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const storable = text.replaceAll('\0', '');
    const isLong = storable.length > maxLength && [...storable].length > maxLength;
    if (isLong) this.warnings?.add(`${name} was cut: it can have ${maxLength.toLocaleString('en')} characters.`);
    return isLong ? `${[...storable].slice(0, maxLength - 1).join('')}…` : storable;
  }

  /** The value in a table for the text of a field. A blank text counts as absent. */
  choice<Value>(name: string, table: Readonly<Record<string, Value>>): Value | undefined {
    const text = this.text(name);
    return text ? this.lookUp(name, text, table) : undefined;
  }

  /** The value in a table for a text that is in a field. */
  lookUp<Value>(name: string, text: string, table: Readonly<Record<string, Value>>): Value | undefined {
    const key = text.trim().toLowerCase();
    if (Object.hasOwn(table, key)) return table[key];
    if (!this.warnings) throw invalid({ [name]: [problems.notIncluded(Object.keys(table))] });
    const keys = Object.keys(table).join(', ');
    this.warnings.add(`${name} was ignored: ${JSON.stringify(text.slice(0, 60))} is none of ${keys}.`);
    return undefined;
  }

  /** Warns of fields that have no effect. False is that of a switch that is not sent, too. */
  ignore(names: readonly string[], reason: string): void {
    for (const name of names) {
      const value = this.input[name];
      if (value && !['false', 'f', '0'].includes(String(value))) this.warnings?.add(`${name} was ignored: ${reason}.`);
    }
  }

  /** A yes or no, in any writing. */
  flag(name: string): boolean | undefined {
    const flag = readFlag(this.text(name));
    if (flag === undefined)
      this.warnings?.add(
        `${name} was ignored: ${JSON.stringify(this.text(name)?.slice(0, 60))} is neither true nor false.`,
      );
    return flag ?? undefined;
  }

  /** Whether people are notified: by default, and not where the value cannot be read, since mails cannot be undone. */
  mayNotify(name: string): boolean {
    const flag = readFlag(this.text(name));
    const given = JSON.stringify(this.text(name)?.slice(0, 60));
    if (flag === undefined) this.warnings?.add(`${name}: ${given} is neither true nor false, so nobody is notified.`);
    return flag ?? flag === null;
  }

  list(name: string): string[] | undefined {
    const value = this.input[name];
    if (value === undefined || value === null || value === '') return undefined;
    return (Array.isArray(value) ? value : [value]).map(member => toText(name, member));
  }

  ids(name: string): string[] | undefined {
    return this.list(name)?.flatMap(splitIds);
  }

  /** A map, or a list of its keys, then without values, or of records with `id` and `status`. */
  map(name: string): Map<string, string | null> | undefined {
    const value = this.input[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'object' || value instanceof UploadedFile)
      throw invalid({ [name]: [problems.invalid('must be a map or a list')] });
    if (!Array.isArray(value)) return new Map(Object.entries(value).map(([id, member]) => [id, toText(name, member)]));
    return new Map(
      value.map(member => {
        if (!isRecord(member)) return [toText(name, member), null];
        return [toText(name, member.id ?? {}), toText(name, member.status ?? '')];
      }),
    );
  }

  /** The number of a page, and how many records it has, which is 100 as in Statuspage. */
  paging(firstPage: 0 | 1 = 1): { page: number; perPage: number } {
    const read = (name: string, minimum: number): number | undefined => {
      const text = this.text(name) || undefined;
      if (text === undefined) return undefined;
      if (!/^\d{1,6}$/.test(text) || Number(text) < minimum)
        throw badRequest(`The parameter "${name}" must be a number from ${minimum}.`);
      return Number(text);
    };
    const size = read('per_page', 1) ?? read('limit', 1) ?? maxPageSize;
    // A client that counts from 1 may send 0 for its first page.
    const page = Math.max(read('page', 0) ?? firstPage, firstPage);
    return { page: page - firstPage + 1, perPage: Math.min(size, maxPageSize) };
  }
}

/** The parameters of lists, which `paging` reads. */
export const pagingNames = ['page', 'per_page', 'limit'] as const;

export const maxPageSize = 100;

const isRecord = (value: Parameter): value is Parameters =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof UploadedFile);

/** Refuses what is not text: a member that is left out can make a list mean everything. */
function toText(name: string, value: Parameter): string {
  if (typeof value === 'object') throw invalid({ [name]: [problems.invalid('must be a text')] });
  return String(value);
}
