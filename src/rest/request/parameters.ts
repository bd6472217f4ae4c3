import { parse, type ParsedQs } from 'qs';
import { badRequest } from '../../core/errors.js';

/** A class, so that no JSON object can pass for a file. The bytes live in memory only, so nothing has to be deleted. */
export class UploadedFile {
  constructor(readonly bytes: Buffer) {}
}

export type Parameter = string | number | boolean | null | UploadedFile | Parameter[] | Parameters;

/** Objects without a prototype at every level: a parameter named `constructor` is data like any other. */
export type Parameters = { [name: string]: Parameter };

/** A name as it was sent, including brackets. */
export type FlatParameter = readonly [name: string, value: Parameter];

export const emptyParameters = (): Parameters => Object.create(null);

export const MAX_PARAMETERS = 1000;
const MAX_DEPTH = 5;
const WELL_FORMED_NAME = /^[^[\]]+(?:\[[^[\]]*\])*$/;

/** Parses a query string (without question mark) or a form, as sent: nothing is decoded yet. */
export function parseQueryParameters(rawQueryString: string): Parameters {
  return expandBrackets(flatParameters(rawQueryString));
}

/**
 * Expands brackets into lists and maps. qs receives the index of each value instead of the value: it would drop the
 * blank in `a[]=1&a=`, read `a[]&a[]=1` differently from `a[]=&a[]=1`, and walk through the bytes of a file.
 */
export function expandBrackets(flat: Iterable<FlatParameter>): Parameters {
  const sent: FlatParameter[] = [];
  for (const parameter of flat) if (sent.push(parameter) > MAX_PARAMETERS) throw tooManyParameters();
  // Most requests have no brackets and do not need qs.
  if (sent.every(([name]) => !name.includes('['))) return Object.assign(emptyParameters(), Object.fromEntries(sent));
  const indexed: string[] = [];
  const parameters = emptyParameters();
  for (const [index, [name, value]] of sent.entries()) {
    if (name.split('[', MAX_DEPTH + 2).length > MAX_DEPTH + 1)
      throw badRequest('The brackets of a parameter can be at most 5 deep.');
    // qs drops this key silently, and a filter that is ignored returns wrong data.
    if (name.startsWith('filter[') && name.includes('[__proto__]'))
      throw badRequest('There is no filter "__proto__" here.');
    // qs truncates `a[b]c` to `a[b]`; the API has no such name, so it is stored as it is, and ignored.
    if (WELL_FORMED_NAME.test(name)) indexed.push(`${encodeURIComponent(name)}=${index}`);
    else parameters[name] = value;
  }
  return Object.assign(
    parameters,
    fillValues(
      parseStructure(indexed.join('&')),
      sent.map(([, value]) => value),
    ),
  );
}

/** The path beats the body, the body the query string; lists and maps are replaced as a whole. */
export function mergeParameters(query: Parameters, body: Parameters, path: Parameters): Parameters {
  const merged = Object.assign(emptyParameters(), query, body, path);
  if (Object.keys(merged).length > MAX_PARAMETERS) throw tooManyParameters();
  return merged;
}

export const tooManyParameters = () => badRequest('A request can have at most 1,000 parameters.');

function* flatParameters(text: string): Generator<FlatParameter> {
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    yield equals < 0
      ? [decodePercent(part), '']
      : [decodePercent(part.slice(0, equals)), decodePercent(part.slice(equals + 1))];
  }
}

/** qs's own decoder would pass invalid percent encoding, and bytes that are not UTF-8, unchanged. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest('The request contains an invalid percent encoding.');
  }
}

function parseStructure(indexed: string): ParsedQs {
  try {
    return parse(indexed, {
      allowDots: false,
      arrayLimit: MAX_PARAMETERS,
      depth: MAX_DEPTH,
      duplicates: 'last',
      parameterLimit: MAX_PARAMETERS,
      plainObjects: true,
      strictDepth: true,
      throwOnLimitExceeded: true,
    });
  } catch (error) {
    if (error instanceof RangeError) throw badRequest('The number in the brackets of a parameter can be at most 999.');
    throw error;
  }
}

function fillValues(branch: ParsedQs, values: Parameter[]): Parameters {
  const valueAt = (node: ParsedQs[string]): Parameter => {
    if (Array.isArray(node)) return node.map(valueAt);
    return typeof node === 'object' ? fillValues(node, values) : values[Number(node)]!;
  };
  const parameters = emptyParameters();
  for (const [name, node] of Object.entries(branch)) parameters[name] = valueAt(node);
  return parameters;
}
