import type { Context as KoaContext } from 'koa';
import { createBodyReader, decodeUtf8, maxJsonValues, parseJson } from '../../http/body.js';
import { badRequest, Refusal } from '../../core/errors.js';
import {
  emptyParameters,
  expandBrackets,
  type FlatParameter,
  type Parameter,
  type Parameters,
  MAX_PARAMETERS,
  parseQueryParameters,
  tooManyParameters,
  UploadedFile,
} from './parameters.js';
import { RoutingError } from './routing-error.js';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const MEGABYTE = 1024 * 1024;
const MAX_TEXT = MEGABYTE;
const MAX_FILE = 10 * MEGABYTE;
/** A file, the texts, and the headers of a thousand parts. */
const MAX_MULTIPART = MAX_FILE + 2 * MEGABYTE;
/** The body of a GET. Small, because anonymous callers may send one slowly. */
const MAX_READ = 64 * 1024;
const MAX_VALUES = 200_000;
/** Of an object in a parameter: 60,000 take a tenth of a second. */
const MAX_MEMBERS = 10_000;
const MAX_JSON_DEPTH = 64;
const MAX_PART_HEADERS = 8192;
const LONE_SURROGATE = /\p{Surrogate}/u;

const tooLarge = (sentence: string) => new Refusal('PAYLOAD_TOO_LARGE', sentence);

const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
const readOfGet = createBodyReader(types, MAX_READ);
const readTexts = createBodyReader(types, MAX_TEXT);
const readUpload = createBodyReader(types, MAX_MULTIPART);

/**
 * Reads the body if its type is a supported one. For another the response names those that are. Only routes that take
 * a file accept the larger multipart limit.
 */
export async function readBodyParameters(ctx: KoaContext, takesFile: boolean): Promise<Parameters> {
  const type = ctx.request.is(types);
  if (type === false && !isRead(ctx)) ctx.set('Accept-Post', types.join(', '));
  const read = isRead(ctx) ? readOfGet : takesFile && type === 'multipart/form-data' ? readUpload : readTexts;
  switch (type) {
    case 'application/json':
      return jsonParameters(await read(ctx));
    case 'application/x-www-form-urlencoded':
      return parseQueryParameters(decodeUtf8(await read(ctx)));
    case 'multipart/form-data':
      return multipartParameters(await read(ctx), ctx.get('Content-Type'));
    default:
      return emptyParameters();
  }
}

const isRead = ({ method }: KoaContext) => method === 'GET' || method === 'HEAD';

/**
 * Reads a body that has no type, or is JSON in a form as curl sends it, as JSON: existing clients send both. Refuses
 * other types.
 */
export async function readUntypedBodyParameters(ctx: KoaContext): Promise<Parameters> {
  const { headers } = ctx.req;
  if (headers['content-length'] === '0' || ctx.request.is(types) === null) return emptyParameters();
  headers['content-type'] ||= 'application/json';
  const type = ctx.request.is(types);
  if (type === false) {
    const sentence = `The body must have one of these types, in the header Content-Type: ${types.join(', ')}.`;
    throw new RoutingError(415, 'unsupported_media_type', sentence, { 'Accept-Post': types.join(', ') });
  }
  if (type === 'application/json') return jsonParameters(await readTexts(ctx), maxJsonValues);
  if (type === 'multipart/form-data') return readBodyParameters(ctx, false);
  const bytes = await readTexts(ctx);
  const text = decodeUtf8(bytes);
  return text.trimStart().startsWith('{') ? jsonParameters(bytes, maxJsonValues) : parseQueryParameters(text);
}

function jsonParameters(bytes: Buffer, maxValues = MAX_VALUES): Parameters {
  if (bytes.length === 0) return emptyParameters();
  const parsed = parseBody(decodeUtf8(bytes), maxValues);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw badRequest('The JSON body must be an object.');
  // Before its members are read: those of an object with 60,000 names take a third of a second.
  if (Object.keys(parsed).length > MAX_PARAMETERS) throw tooManyParameters();
  return toParameter(parsed, 1) as Parameters;
}

/** The types of TypeScript lack the third argument of the reviver. */
const withLongNumbers = ((_: string, value: unknown, { source }: { source?: string }) =>
  /^-?\d{16,}$/.test(source ?? '') ? source : value) as (name: string, value: unknown) => unknown;

/** "A JSON number for a text is its text": an integer of 16 digits or more stays text, so that no digit is lost. */
const parseBody = (text: string, maxValues: number): Json =>
  parseJson(text, { maxValues, reviver: /\d{16}/.test(text) ? withLongNumbers : undefined }) as Json;

function toParameter(value: Json, depth: number): Parameter {
  if (depth > MAX_JSON_DEPTH) throw badRequest(`The JSON body can be at most ${MAX_JSON_DEPTH} levels deep.`);
  if (typeof value === 'string') return checkUnicode(value);
  // JSON.parse turns 1e400 into Infinity.
  if (typeof value === 'number' && !Number.isFinite(value))
    throw badRequest('The JSON body contains a number out of range.');
  if (Array.isArray(value)) return value.map(member => toParameter(member, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const parameters = emptyParameters();
  const members = Object.entries(value);
  if (members.length > MAX_MEMBERS) throw badRequest(`An object can have at most ${MAX_MEMBERS} members.`);
  for (const [name, member] of members) {
    if (name !== '__proto__') parameters[checkUnicode(name)] = toParameter(member, depth + 1);
  }
  return parameters;
}

/** `"\ud800"` is valid JSON but not encodable as UTF-8: the database would store another text than the one sent. */
function checkUnicode(text: string): string {
  if (LONE_SURROGATE.test(text)) throw badRequest('The JSON body contains half of a surrogate pair.');
  return text;
}

function multipartParameters(bytes: Buffer, contentType: string): Parameters {
  if (bytes.length === 0) return emptyParameters();
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2] ?? '';
  // RFC 2046, 5.1.1
  if (name === '' || name.length > 70) throw badRequest('A multipart body needs a boundary of 1 to 70 characters.');
  return expandBrackets(multipartFields(bytes, name));
}

/**
 * A multipart parser of its own: formidable takes 10 seconds for a file of line breaks, and busboy silently drops parts
 * and truncates headers (docs/decisions/request-bodies-are-parsed-here.md).
 */
function* multipartFields(bytes: Buffer, boundary: string): Generator<FlatParameter> {
  let fileCount = 0;
  let textSize = 0;
  for (const { headers, content } of multipartParts(bytes, boundary)) {
    const { name, fileName } = parseDisposition(headers);
    if (fileName === undefined) {
      textSize += content.length;
      if (textSize > MAX_TEXT) throw tooLarge('The fields of the body are larger than 1 MB.');
      yield [name, decodeUtf8(content)];
    } else if (fileName === '' && content.length === 0) {
      // A browser sends this for a file input without a file.
      yield [name, ''];
    } else {
      fileCount += 1;
      if (fileCount > 1) throw badRequest('Only one file can be uploaded at a time.');
      if (content.length > MAX_FILE) throw tooLarge('The file is larger than 10 MB.');
      yield [name, new UploadedFile(content)];
    }
  }
}

function* multipartParts(bytes: Buffer, boundary: string): Generator<{ headers: string; content: Buffer }> {
  const malformed = () => badRequest('The multipart body is malformed or cut short.');
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const first = delimiter.subarray(2);
  let end = bytes.subarray(0, first.length).equals(first) ? -2 : bytes.indexOf(delimiter);
  if (end === -1) throw malformed();
  for (;;) {
    const start = end + delimiter.length;
    const afterDelimiter = bytes.toString('latin1', start, start + 2);
    if (afterDelimiter === '--') return;
    if (afterDelimiter !== '\r\n') throw malformed();
    const headersLength = bytes.subarray(start, start + MAX_PART_HEADERS).indexOf('\r\n\r\n');
    if (headersLength < 0) throw malformed();
    const contentStart = start + headersLength + 4;
    end = bytes.indexOf(delimiter, contentStart);
    if (end === -1) throw malformed();
    yield {
      headers: decodeUtf8(bytes.subarray(start, start + headersLength)),
      content: bytes.subarray(contentStart, end),
    };
  }
}

function parseDisposition(headers: string): { name: string; fileName?: string } {
  if (/^content-transfer-encoding:(?!\s*(?:7bit|8bit|binary)\s*$)/im.test(headers))
    throw badRequest('A part with a transfer encoding is not accepted.');
  const value = /^content-disposition:\s*form-data(.*)$/im.exec(headers)?.[1] ?? '';
  const attributes = new Map<string, string>();
  for (const [, key, quoted, token] of value.matchAll(/;\s*([a-z]+\*?)\s*=\s*(?:"((?:\\"|[^"])*)"|([^;\s"]*))/gi)) {
    // Browsers write a quotation mark as %22, other clients with a backslash.
    attributes.set(key!.toLowerCase(), (quoted ?? token!).replace(/\\"|%22/g, '"'));
  }
  const name = attributes.get('name');
  if (!name) throw badRequest('A part of the multipart body has no name.');
  return { name, fileName: attributes.get('filename') ?? attributes.get('filename*') };
}
