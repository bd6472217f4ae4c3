import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { isPublicAddress } from './public-ip.js';

export interface Request {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface Answer {
  status: number;
  /** What the other side said, as far as it was read. */
  body: string;
  retryAfter: string | null;
}

/** Where we do not go, in a sentence: no attempt of before or after changes it. */
export class ForbiddenTarget extends Error {}

export type Resolve = (host: string) => Promise<LookupAddress[]>;

export interface Guard {
  /** Over http too, and to addresses of whatever network. */
  allowPrivate: boolean;
  /** For tests: asked once for a request. */
  resolve?: Resolve;
  /** Milliseconds for the whole. */
  patience?: number;
  /** For tests: certificates that are trusted besides those of the system. */
  ca?: string;
}

const usualPatience = 10_000;
const longestAnswer = 64 * 1024;

/**
 * A POST to an address that somebody gave us. Its name is resolved once and checked, and the connection goes to that very address: a name that means something else a
 * moment later leads nowhere else. Redirects are not followed, and neither a slow answer nor a long one holds us up.
 */
export async function post({ url, headers, body }: Request, guard: Guard): Promise<Answer> {
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  if (!isSecure && !(guard.allowPrivate && target.protocol === 'http:'))
    throw new ForbiddenTarget('Only https addresses are called.');
  const signal = AbortSignal.timeout(guard.patience ?? usualPatience);
  const addresses = await within(signal, addressesOf(target, guard));
  const client = new Client(target.origin, { connect: { lookup: pinned(addresses), ca: guard.ca }, pipelining: 0 });
  try {
    const { pathname, search } = target;
    const answer = await client.request({
      method: 'POST',
      path: `${pathname}${search}`,
      headers: { 'user-agent': 'All-Clear', ...headers },
      body,
      signal,
    });
    const retryAfter = answer.headers['retry-after'];
    return {
      status: answer.statusCode,
      body: await beginningOf(answer.body),
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
    };
  } catch (error) {
    if (signal.aborted) throw new Error(`no answer within ${(guard.patience ?? usualPatience) / 1000} s`);
    throw error;
  } finally {
    // Whatever is still to come of an answer is of no interest.
    client.destroy().catch(() => {});
  }
}

async function addressesOf(
  { hostname }: URL,
  { allowPrivate, resolve = resolveBySystem }: Guard,
): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const found = family ? [{ address: host, family }] : await resolve(host);
  if (!found.length) throw new Error(`${host} has no address`);
  const open = allowPrivate ? found : found.filter(({ address }) => isPublicAddress(address));
  if (!open.length)
    throw new ForbiddenTarget(`${host} is no address of the open internet; ALLOW_PRIVATE_TARGETS=true allows it.`);
  return open;
}

const resolveBySystem: Resolve = host => lookup(host, { all: true });

/** Instead of DNS. */
function pinned(addresses: LookupAddress[]) {
  type Done = (error: null, address: string | LookupAddress[], family?: number) => void;
  return (_host: string, options: LookupOptions, done: Done) => {
    const [first] = addresses;
    if (options.all) done(null, addresses);
    else done(null, first!.address, first!.family);
  };
}

/** What DNS does cannot be broken off, only left alone. */
async function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let stop = () => {};
  const over = new Promise<never>((_, fail) => {
    stop = () => fail(new Error('the name could not be resolved in time'));
    signal.addEventListener('abort', stop, { once: true });
  });
  return Promise.race([work, over]).finally(() => signal.removeEventListener('abort', stop));
}

async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= longestAnswer) break;
  }
  return Buffer.concat(chunks).subarray(0, longestAnswer).toString('utf8');
}
