import { setTimeout } from 'node:timers/promises';
import { CommandError } from '../../core/errors.js';
import { idOf } from './convert-rows.js';
import type { Answers } from './source.js';

/** Where the API of a product has what its files have. */
export interface SourceApi {
  origin: string;
  /** The value of the header `Authorization`. */
  authorize(token: string): string;
  /** Between the begins of two requests, as the product allows it. */
  intervalMs: number;
  /** The path of each file. `:page` is the id of the page; `:each` stands for each id of another file. */
  paths: Record<string, string | { path: string; each: string }>;
  /** Files of records that a page may not have: their path then answers 404. */
  optional?: readonly string[];
}

interface FetchOptions {
  token: string;
  /** The id of the page at the product. */
  sourcePage: string;
  /** In place of the product's own. */
  origin?: string;
  fetch: typeof fetch;
  /** Refuses an answer before it is parsed. */
  check?(content: Buffer, address: string): void;
}

const rowsPerPage = 100;
const maxTries = 5;
const timeoutMs = 30_000;
const megabyte = 1024 * 1024;
/** Of a page of records, which has some hundred kB. */
const maxAnswerBytes = 32 * megabyte;
/** Of all answers of an import, which are held in the memory. */
const maxTotalBytes = 256 * megabyte;

/** Lists the ids of the pages that a token may read. */
export async function fetchPageIds(api: SourceApi, path: string, options: Omit<FetchOptions, 'sourcePage'>) {
  const pages = await getAll(createPacedGet(api, options), path);
  return Array.isArray(pages) ? pages.flatMap(row => idOf(row) ?? []) : [];
}

/** Asks the API for all that its saved answers would have, at the pace that it allows. */
export async function fetchAnswers(api: SourceApi, options: FetchOptions): Promise<Answers> {
  const get = createPacedGet(api, options);
  const answers: Record<string, unknown> = {};
  for (const [name, where] of Object.entries(api.paths)) {
    const { path, each } = typeof where === 'string' ? { path: where, each: null } : where;
    const inPage = path.replace(':page', encodeURIComponent(options.sourcePage));
    if (each === null) answers[name] = await getAll(get, inPage, api.optional?.includes(name));
    else {
      const list = answers[each];
      // What is no list is refused with what else is not as expected.
      const ids = Array.isArray(list) ? list.flatMap(row => idOf(row) ?? []) : [];
      const lists: unknown[] = [];
      for (const id of ids) lists.push(await getAll(get, inPage.replace(':each', encodeURIComponent(id))));
      answers[name] = lists.flat();
    }
  }
  return answers;
}

/** `mayMiss`: 404 is undefined. */
type Get = (path: string, mayMiss?: boolean) => Promise<unknown>;

interface Envelope {
  data?: unknown;
  response?: unknown;
  pagination?: { next?: unknown };
}

/** A record, or the rows of all pages of a list. */
async function getAll(get: Get, path: string, mayMiss = false): Promise<unknown> {
  const rows: unknown[] = [];
  const seen = new Set<string>();
  for (let page = 1; ; page += 1) {
    const query = `${path.includes('?') ? '&' : '?'}page=${page}&per_page=${rowsPerPage}`;
    const answer = await get(`${path}${query}`, mayMiss);
    const { data, response, pagination } = (answer ?? {}) as Envelope;
    const list = Array.isArray(answer) ? answer : (response ?? data);
    if (!Array.isArray(list)) return response ?? answer;
    // Nothing says how long pages of `response` are: the last one has nothing new. Nor may an API send pages forever.
    const fresh = list.filter(row => {
      const id = idOf(row) ?? JSON.stringify(row);
      return !seen.has(id) && seen.add(id);
    });
    rows.push(...fresh);
    const isLast = pagination ? !pagination.next : response === undefined && list.length < rowsPerPage;
    if (isLast || !fresh.length) return rows;
  }
}

function createPacedGet(
  { origin: own, authorize, intervalMs }: SourceApi,
  options: Omit<FetchOptions, 'sourcePage'>,
): Get {
  const { token, origin = own, fetch: send, check = () => {} } = options;
  let next = 0;
  let total = 0;
  const pace = async () => {
    const now = Date.now();
    const wait = Math.max(0, next - now);
    next = now + wait + intervalMs;
    if (wait) await setTimeout(wait);
  };
  return async (path, mayMiss) => {
    for (let tries = 1; ; tries += 1) {
      await pace();
      const response = await send(new URL(path, origin), {
        headers: { authorization: authorize(token), accept: 'application/json', 'user-agent': 'All-Clear' },
        signal: AbortSignal.timeout(timeoutMs),
      }).catch((error: Error) => {
        throw new CommandError(`${origin} cannot be reached: ${error.message}.\n`);
      });
      if (response.ok) {
        const body = await readBody(response, origin + path, maxTotalBytes - total);
        total += body.length;
        check(body, origin + path);
        return parseJson(body, origin + path);
      }
      await response.body?.cancel();
      if (response.status === 404 && mayMiss) return undefined;
      const isBusy = response.status === 429 || response.status >= 500;
      if (!isBusy || tries === maxTries) throw new CommandError(`${origin}${path} answers ${response.status}.\n`);
      await setTimeout(Math.min(Number(response.headers.get('retry-after') ?? tries) || 0, 60) * 1_000);
    }
  };
}

/** The bytes after decompression. A body that is too large is not read to its end. */
async function readBody(response: Response, address: string, remaining: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of response.body ?? []) {
      bytes += part.length;
      if (bytes > maxAnswerBytes)
        throw new CommandError(
          `${address} answers with more than ${maxAnswerBytes / megabyte} MB. Import from files.\n`,
        );
      if (bytes > remaining)
        throw new CommandError(`The answers have more than ${maxTotalBytes / megabyte} MB. Import from files.\n`);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${address} cannot be read: ${(error as Error).message}.\n`);
  }
  return Buffer.concat(parts);
}

function parseJson(body: Buffer, address: string): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new CommandError(`${address} answers with what is not JSON.\n`);
  }
}
