import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { badRequest, Refusal } from '../errors.js';

const MAXIMUM_BODY = 1024 * 1024;
const MAXIMUM_QUERY = 100 * 1024;

/** The JSON of a POST. What is wrong with its members is for the server to say. */
export async function jsonBody(request: IncomingMessage): Promise<unknown> {
  const text = utf8(await bytesOf(request));
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = request.headers;
  if (encoding.toLowerCase() !== 'identity') throw badRequest('A body with a content encoding is not accepted.');
  try {
    return await rawBody(request, { length, limit: MAXIMUM_BODY });
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') throw new Refusal('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MB.');
    if (request.destroyed || !request.complete) throw badRequest('The body ended before its announced length.');
    throw error;
  }
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body contains bytes that are not UTF-8.');
  }
}

export function checkQueryText(query: unknown): void {
  if (typeof query === 'string' && Buffer.byteLength(query) > MAXIMUM_QUERY) throw new Refusal('PAYLOAD_TOO_LARGE', 'The query text is larger than 100 KB.');
}
