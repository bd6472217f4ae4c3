import { createHash } from 'node:crypto';
import { parse, type ParsedQs } from 'qs';
import { badRequest } from '../../core/errors.js';

/** A class, so that no JSON object can pass for one. The bytes live in memory only; nothing has to be deleted. */
export class UploadedFile {
  constructor(readonly bytes: Buffer) {}
}

export type Parameter = string | number | boolean | null | UploadedFile | Parameter[] | Parameters;

/** At every level an object without a prototype: a parameter named `constructor` is data like any other. */
export type Parameters = { [name: string]: Parameter };

/** A name as it was sent, brackets and all. */
export type FlatParameter = readonly [name: string, value: Parameter];

export const emptyParameters = (): Parameters => Object.create(null);

const MAXIMUM_PARAMETERS = 1000;
const MAXIMUM_DEPTH = 5;
const WELL_FORMED_NAME = /^[^[\]]+(?:\[[^[\]]*\])*$/;

/** Of the query string without its question mark, or of a form: as sent, nothing decoded. */
export function queryParameters(rawQueryString: string): Parameters {
  return expanded(flatParameters(rawQueryString));
}

/**
 * Brackets become lists and maps. qs sees each value as its number only: it would drop a blank that follows `a[]=1&a=`, read
 * `a[]&a[]=1` otherwise than `a[]=&a[]=1`, and walk through the bytes of a file.
 */
export function expanded(flat: Iterable<FlatParameter>): Parameters {
  const sent: FlatParameter[] = [];
  for (const one of flat) if (sent.push(one) > MAXIMUM_PARAMETERS) throw tooMany();
  // Most requests have no brackets, and need no qs.
  if (sent.every(([name]) => !name.includes('['))) return Object.assign(emptyParameters(), Object.fromEntries(sent));
  const numbered: string[] = [];
  const parameters = emptyParameters();
  for (const [number, [name, value]] of sent.entries()) {
    if (name.split('[', MAXIMUM_DEPTH + 2).length > MAXIMUM_DEPTH + 1)
      throw badRequest('The brackets of a parameter can be at most 5 deep.');
    // qs drops this one in silence, and to ignore a filter is to show wrong data
    if (name.startsWith('filter[') && name.includes('[__proto__]'))
      throw badRequest('There is no filter "__proto__" here.');
    // qs cuts `a[b]c` down to `a[b]`; such a name is not in the interface, so it stays a name that nobody asks for
    if (WELL_FORMED_NAME.test(name)) numbered.push(`${encodeURIComponent(name)}=${number}`);
    else parameters[name] = value;
  }
  return Object.assign(
    parameters,
    withValues(
      structure(numbered.join('&')),
      sent.map(([, value]) => value),
    ),
  );
}

/** Whole values: the list or map of the stronger source replaces that of the weaker one. */
export function merge(query: Parameters, body: Parameters, path: Parameters): Parameters {
  const merged = Object.assign(emptyParameters(), query, body, path);
  if (Object.keys(merged).length > MAXIMUM_PARAMETERS) throw tooMany();
  return merged;
}

const tooMany = () => badRequest('A request can have at most 1,000 parameters.');

/** Equal exactly when the parameters are, whatever the order of their names; `1` and `"1"` differ, files count by their bytes. */
export function fingerprint(parameters: Parameters): string {
  return sha256(JSON.stringify(canonical(parameters)));
}

function* flatParameters(text: string): Generator<FlatParameter> {
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    yield equals < 0
      ? [percentDecoded(part), '']
      : [percentDecoded(part.slice(0, equals)), percentDecoded(part.slice(equals + 1))];
  }
}

/** The decoder of qs lets an invalid percent encoding, and bytes that are not UTF-8, pass as they are. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest('The request contains an invalid percent encoding.');
  }
}

function structure(numbered: string): ParsedQs {
  try {
    return parse(numbered, {
      allowDots: false,
      arrayLimit: MAXIMUM_PARAMETERS,
      depth: MAXIMUM_DEPTH,
      duplicates: 'last',
      parameterLimit: MAXIMUM_PARAMETERS,
      plainObjects: true,
      strictDepth: true,
      throwOnLimitExceeded: true,
    });
  } catch (error) {
    if (error instanceof RangeError) throw badRequest('The number in the brackets of a parameter can be at most 999.');
    throw error;
  }
}

function withValues(branch: ParsedQs, values: Parameter[]): Parameters {
  const valueAt = (node: ParsedQs[string]): Parameter => {
    if (Array.isArray(node)) return node.map(valueAt);
    return typeof node === 'object' ? withValues(node, values) : values[Number(node)]!;
  };
  const parameters = emptyParameters();
  for (const [name, node] of Object.entries(branch)) parameters[name] = valueAt(node);
  return parameters;
}

function canonical(value: Parameter): unknown {
  if (value instanceof UploadedFile) return { file: sha256(value.bytes) };
  if (Array.isArray(value)) return { list: value.map(canonical) };
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return { map: names.map(name => [name, canonical(value[name]!)]) };
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
