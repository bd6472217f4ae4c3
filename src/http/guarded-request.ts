import { constants } from 'node:crypto';
import type { LookupAddress, LookupOptions } from 'node:dns';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { buildConnector, Dispatcher, Pool } from 'undici';
import { type ResolveHost, resolveWithDns, resolveWithSystem } from './dns/resolve-host.js';
import { hasProxy, type ProxySettings } from './proxies.js';
import { isPrivateHost, isPublicIp } from './public-ip.js';

interface GuardedRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** In bytes. The rest of a longer response is not read. */
  maxBodyLength: number;
}

interface GuardedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** Its beginning, up to the limit. */
  body: string;
  isComplete: boolean;
}

/** The URL is not allowed. */
export class ForbiddenTarget extends Error {
  constructor(
    message: string,
    /** False where its host may be allowed another time. */
    readonly isPermanent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The same for a private host and for one that is unknown: answers must not tell which internal names exist. */
const noAddress = (host: string, { allowPrivate }: SsrfGuard, cause?: unknown): Error =>
  allowPrivate
    ? new Error(`${host} has no address.`, { cause })
    : new ForbiddenTarget(
        `${host} does not resolve to a public address. ALLOW_PRIVATE_TARGETS=true allows private ones.`,
        false,
        { cause },
      );

export interface SsrfGuard {
  /** Also allows http, and addresses of private networks. */
  allowPrivate: boolean;
  proxies?: ProxySettings;
  /** For tests; called once per request. */
  resolve?: ResolveHost;
  /** For the whole request, resolving included. */
  timeoutMs?: number;
  /** Ends the request early. */
  stop?: AbortSignal;
  /** For tests: trusted certificates besides those of the system. */
  ca?: string;
}

const noProxies: ProxySettings = { httpProxy: '', httpsProxy: '', noProxy: '' };
const defaultTimeoutMs = 10_000;
/** Responses of the status 1xx before that of the request: a server can send them without end. */
const maxInformational = 10;
/** Of a whole response, beside its body: headers, and what encloses the parts of the body. */
const maxOverheadBytes = 1024 * 1024;
const maxBytesPerBodyByte = 4;
/** Sessions of TLS that a server offers for later connections. They are not bytes of the response; two are usual. */
const maxTlsSessions = 10;

/**
 * Sends a request to a URL that a customer chose (SSRF-safe). The host is resolved once and checked, and the connection
 * goes to that address, so that DNS rebinding has no effect. Redirects are not followed; the time and the size are
 * limited. A proxy resolves the host again: what it may reach is up to its own rules.
 */
export async function requestGuarded(
  { method, url, headers, body, maxBodyLength }: GuardedRequest,
  guard: SsrfGuard,
): Promise<GuardedResponse> {
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  if (!isSecure && !(guard.allowPrivate && target.protocol === 'http:'))
    throw new ForbiddenTarget('Only https URLs are allowed.', true);
  const timeout = AbortSignal.timeout(guard.timeoutMs ?? defaultTimeoutMs);
  const flood = new AbortController();
  const signal = AbortSignal.any([timeout, flood.signal, ...(guard.stop ? [guard.stop] : [])]);
  const addresses = await abortable(signal, resolveAllowed(target, guard, signal));
  // Loaded at the first request: it takes 6 MB, and many installations send none.
  const { buildConnector, EnvHttpProxyAgent, Pool } = await import('undici');
  const { httpProxy, httpsProxy, noProxy } = guard.proxies ?? noProxies;
  // A server can send frames of HTTP/2 without end that are read and dropped, and begin handshakes without end.
  const tls = { ca: guard.ca, allowH2: false, secureOptions: constants.SSL_OP_NO_RENEGOTIATION };
  const maxBytes = maxOverheadBytes + maxBytesPerBodyByte * maxBodyLength;
  const agent = new EnvHttpProxyAgent({
    httpProxy,
    httpsProxy,
    noProxy,
    pipelining: 0,
    connect: buildConnector({ lookup: pinLookup(addresses, guard), ...tls }),
    requestTls: tls,
    factory: createBoundedFactory(Pool, maxBytes, () => flood.abort('more than the size of its body allows')),
  });
  let informational = 0;
  try {
    const { pathname, search } = target;
    const response = await agent.request({
      origin: target.origin,
      method,
      path: `${pathname}${search}`,
      headers: { 'user-agent': 'All-Clear', ...headers },
      body,
      signal,
      onInfo: () => {
        informational += 1;
        if (informational > maxInformational) flood.abort('too many informational responses (1xx)');
      },
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      ...(await readBeginning(response.body, maxBodyLength)),
    };
  } catch (error) {
    if (flood.signal.aborted) throw new Error(`The server sent ${flood.signal.reason}.`);
    if (signal.aborted) throw new Error(`No response within ${(guard.timeoutMs ?? defaultTimeoutMs) / 1000} s.`);
    throw error;
  } finally {
    // The rest of a long response is not read.
    agent.destroy().catch(() => {});
  }
}

/**
 * Calls `onExcess` once a server, reached through a proxy or not, has sent more bytes, or sessions. Extensions of
 * chunks have no bound in HTTP, and the reader of the body does not see them.
 */
const createBoundedFactory =
  (OriginPool: typeof Pool, maxBytes: number, onExcess: () => void) =>
  (origin: string | URL, options: object): Dispatcher => {
    // The agent for requests without a proxy has one connector, and that for a proxy another.
    const { connect, ...others } = options as { connect: buildConnector.connector };
    const connectBounded: buildConnector.connector = (to, done) =>
      connect(to, (...result) => {
        const [, socket] = result;
        let sessions = 0;
        socket?.on('readable', () => socket.bytesRead > maxBytes && onExcess());
        socket?.on('session', () => ++sessions > maxTlsSessions && onExcess());
        done(...result);
      });
    return new OriginPool(origin, { ...others, connect: connectBounded });
  };

async function resolveAllowed({ hostname }: URL, guard: SsrfGuard, signal: AbortSignal): Promise<LookupAddress[]> {
  const { allowPrivate, resolve = allowPrivate ? resolveWithSystem : resolveWithDns, proxies = noProxies } = guard;
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  // Before a proxy is asked, for which localhost is its own machine.
  if (!allowPrivate && isPrivateHost(hostname)) {
    if (!family) throw noAddress(host, guard);
    throw new ForbiddenTarget(`${host} is not a public address. ALLOW_PRIVATE_TARGETS=true allows it.`, true);
  }
  const addresses = family
    ? [{ address: host, family }]
    : await resolve(host, signal).catch(error => {
        // Behind a proxy, DNS of the machine may not know the names outside.
        if (hasProxy(proxies)) return [];
        throw noAddress(host, guard, error);
      });
  if (!addresses.length && hasProxy(proxies)) return [];
  const allowed = allowPrivate ? addresses : addresses.filter(({ address }) => isPublicIp(address));
  if (allowed.length) return allowed;
  throw noAddress(host, guard);
}

/** Replaces DNS with the checked addresses. */
function pinLookup(addresses: LookupAddress[], guard: SsrfGuard) {
  type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;
  return (host: string, options: LookupOptions, done: Done) => {
    const [first] = addresses;
    if (!first) done(noAddress(host, guard), []);
    else if (options.all) done(null, addresses);
    else done(null, first.address, first.family);
  };
}

/** A lookup by the system cannot be aborted, only ignored. */
async function abortable<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, fail) => {
    onAbort = () => fail(new Error('The host could not be resolved in time.'));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort));
}

async function readBeginning(
  body: Dispatcher.ResponseData['body'],
  maxLength: number,
): Promise<{ body: string; isComplete: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxLength) break;
  }
  return { body: Buffer.concat(chunks).subarray(0, maxLength).toString('utf8'), isComplete: size <= maxLength };
}

interface FetchLimits {
  /** Of a response. */
  maxBytes: number;
  /** Whether all responses together have at most `maxBytes`. */
  isTotal?: boolean;
  /** Nothing is asked for after it. */
  end?: AbortSignal;
}

/** The headers of a response that its readers need. */
const passedHeaders = ['content-type', 'retry-after', 'www-authenticate'];

/** Returns a `fetch` with the rules of guarded requests, such as that redirects are not followed. */
export function createGuardedFetch(guard: SsrfGuard, { maxBytes, isTotal = false, end }: FetchLimits): typeof fetch {
  let left = maxBytes;
  return async (input, init = {}) => {
    end?.throwIfAborted();
    const { status, headers, body, isComplete } = await requestGuarded(
      {
        method: init.method === 'POST' ? 'POST' : 'GET',
        url: String(input),
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(init.body != null && { body: String(init.body) }),
        maxBodyLength: left,
      },
      { ...guard, ...(init.signal && { stop: init.signal }) },
    );
    if (!isComplete) throw new Error(`it answers with more than ${maxBytes / 1024 / 1024} MB`);
    if (isTotal) left -= Buffer.byteLength(body);
    const passed = passedHeaders.flatMap(name => (headers[name] ? [[name, String(headers[name])] as const] : []));
    return new Response(body || null, { status, headers: Object.fromEntries(passed) });
  };
}
