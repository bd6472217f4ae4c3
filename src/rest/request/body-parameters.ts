import type { Context as KoaContext } from 'koa';
import { bodyReader, utf8Text } from '../../http/body.js';
import { badRequest, Refusal } from '../../core/errors.js';
import {
  emptyParameters,
  expanded,
  type FlatParameter,
  type Parameter,
  type Parameters,
  queryParameters,
  UploadedFile,
} from './parameters.js';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const MEGABYTE = 1024 * 1024;
const MAXIMUM_TEXT = MEGABYTE;
const MAXIMUM_FILE = 10 * MEGABYTE;
/** Both, and what a thousand parts need for their headers. */
const MAXIMUM_MULTIPART = MAXIMUM_FILE + 2 * MEGABYTE;
/** What a read asks for; strangers may send one, and hold it back. */
const MAXIMUM_QUESTION = 64 * 1024;
const MAXIMUM_JSON_DEPTH = 64;
const MAXIMUM_PART_HEADERS = 8192;
const LONE_SURROGATE = /\p{Surrogate}/u;

const tooLarge = (sentence: string) => new Refusal('PAYLOAD_TOO_LARGE', sentence);

const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'];
const readQuestion = bodyReader(types, MAXIMUM_QUESTION);
const readTexts = bodyReader(types, MAXIMUM_TEXT);
const readUpload = bodyReader(types, MAXIMUM_MULTIPART);

/** Reads the request only if its type is one of ours; only where a file is taken it may be larger than a text. */
export async function bodyParameters(ctx: KoaContext, takesFile: boolean): Promise<Parameters> {
  const type = ctx.request.is(types);
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const read = isRead ? readQuestion : takesFile && type === 'multipart/form-data' ? readUpload : readTexts;
  switch (type) {
    case 'application/json':
      return jsonParameters(await read(ctx));
    case 'application/x-www-form-urlencoded':
      return queryParameters(utf8Text(await read(ctx)));
    case 'multipart/form-data':
      return multipartParameters(await read(ctx), ctx.get('Content-Type'));
    default:
      return emptyParameters();
  }
}

function jsonParameters(bytes: Buffer): Parameters {
  if (bytes.length === 0) return emptyParameters();
  const body = plainData(parsedJson(utf8Text(bytes)), 1);
  if (typeof body !== 'object' || body === null || Array.isArray(body) || body instanceof UploadedFile)
    throw badRequest('The JSON body must be an object.');
  return body;
}

/** The types of the language do not know the third argument yet. */
const withLongNumbers = ((_: string, value: unknown, { source }: { source?: string }) =>
  /^-?\d{16,}$/.test(source ?? '') ? source : value) as (name: string, value: unknown) => unknown;

/** "A JSON number for a text is its text": one of more digits than a number can hold stays the text that it is. */
function parsedJson(text: string): Json {
  try {
    return JSON.parse(text, /\d{16}/.test(text) ? withLongNumbers : undefined);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}

function plainData(value: Json, depth: number): Parameter {
  if (depth > MAXIMUM_JSON_DEPTH) throw badRequest(`The JSON body can be at most ${MAXIMUM_JSON_DEPTH} levels deep.`);
  if (typeof value === 'string') return unicodeText(value);
  // JSON.parse turns 1e400 into Infinity
  if (typeof value === 'number' && !Number.isFinite(value))
    throw badRequest('The JSON body contains a number out of range.');
  if (Array.isArray(value)) return value.map(member => plainData(member, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const parameters = emptyParameters();
  for (const [name, member] of Object.entries(value)) {
    if (name !== '__proto__') parameters[unicodeText(name)] = plainData(member, depth + 1);
  }
  return parameters;
}

/** `"\ud800"` is JSON, but no UTF-8 can hold it: the database would store another text than the one sent. */
function unicodeText(text: string): string {
  if (LONE_SURROGATE.test(text)) throw badRequest('The JSON body contains half of a surrogate pair.');
  return text;
}

function multipartParameters(bytes: Buffer, contentType: string): Parameters {
  if (bytes.length === 0) return emptyParameters();
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2] ?? '';
  // RFC 2046, 5.1.1
  if (name === '' || name.length > 70) throw badRequest('A multipart body needs a boundary of 1 to 70 characters.');
  return expanded(multipartFields(bytes, name));
}

/**
 * Of our own: formidable makes an event of every line break in a file. 10 MB of nothing else kept it busy for 10 seconds, with
 * 1.5 GB of memory, and it limits neither the headers of a part nor what stands around the parts.
 */
function* multipartFields(bytes: Buffer, boundary: string): Generator<FlatParameter> {
  let fileCount = 0;
  let textSize = 0;
  for (const { headers, content } of multipartParts(bytes, boundary)) {
    const { name, fileName } = disposition(headers);
    if (fileName === undefined) {
      textSize += content.length;
      if (textSize > MAXIMUM_TEXT) throw tooLarge('The fields of the body are larger than 1 MB.');
      yield [name, utf8Text(content)];
    } else if (fileName === '' && content.length === 0) {
      // what a browser sends for a file input left alone
      yield [name, ''];
    } else {
      fileCount += 1;
      if (fileCount > 1) throw badRequest('Only one file can be uploaded at a time.');
      if (content.length > MAXIMUM_FILE) throw tooLarge('The file is larger than 10 MB.');
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
    const headersLength = bytes.subarray(start, start + MAXIMUM_PART_HEADERS).indexOf('\r\n\r\n');
    if (headersLength < 0) throw malformed();
    const contentStart = start + headersLength + 4;
    end = bytes.indexOf(delimiter, contentStart);
    if (end === -1) throw malformed();
    yield {
      headers: utf8Text(bytes.subarray(start, start + headersLength)),
      content: bytes.subarray(contentStart, end),
    };
  }
}

function disposition(headers: string): { name: string; fileName?: string } {
  if (/^content-transfer-encoding:(?!\s*(?:7bit|8bit|binary)\s*$)/im.test(headers))
    throw badRequest('A part with a transfer encoding is not accepted.');
  const value = /^content-disposition:\s*form-data(.*)$/im.exec(headers)?.[1] ?? '';
  const found = new Map<string, string>();
  for (const [, key, quoted, token] of value.matchAll(/;\s*([a-z]+\*?)\s*=\s*(?:"((?:\\"|[^"])*)"|([^;\s"]*))/gi)) {
    // browsers write a quotation mark as %22, others with a backslash
    found.set(key!.toLowerCase(), (quoted ?? token!).replace(/\\"|%22/g, '"'));
  }
  const name = found.get('name');
  if (!name) throw badRequest('A part of the multipart body has no name.');
  return { name, fileName: found.get('filename') ?? found.get('filename*') };
}
