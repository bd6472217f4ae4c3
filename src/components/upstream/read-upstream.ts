import { parseJson } from '../../http/body.js';
import { ForbiddenTarget, requestGuarded, type SsrfGuard } from '../../http/guarded-request.js';
import { formatNames, formats, splitFormat, type UpstreamComponent, type UpstreamFormat } from './formats.js';
import { takeParsingTurn } from './parse-each.js';

/** A summary of a large page has some hundred kilobytes. */
const maxBodyLength = 2 * 1024 * 1024;
const maxValues = 100_000;
const maxValidatorLength = 500;

/** What a request tells that is sent again. */
interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export type UpstreamAnswer =
  | ({ kind: 'read'; components: UpstreamComponent[]; cacheControl: string | null } & Validators)
  | { kind: 'unchanged'; cacheControl: string | null }
  | { kind: 'failed'; reason: string; retryAfter: string | null };

/** Reads the components of a status page. Redirects are not followed: they count as failures. */
export async function readUpstream(
  { url, format }: { url: string; format: UpstreamFormat },
  { etag, lastModified }: Validators,
  guard: SsrfGuard,
): Promise<UpstreamAnswer> {
  const conditions = {
    ...(etag && { 'if-none-match': etag }),
    ...(lastModified && { 'if-modified-since': lastModified }),
  };
  try {
    const { status, headers, body, isComplete } = await requestGuarded(
      {
        method: 'GET',
        url: `${url}/${formats[format].path}`,
        maxBodyLength,
        headers: { accept: 'application/json', ...conditions },
      },
      guard,
    );
    const cacheControl = headers['cache-control'] ?? null;
    if (status === 304 && (etag || lastModified)) return { kind: 'unchanged', cacheControl };
    const failed = (reason: string) =>
      ({ kind: 'failed', reason, retryAfter: headers['retry-after'] ?? null }) satisfies UpstreamAnswer;
    if (status >= 300 && status < 400) return failed(describeRedirect(url, format, headers.location));
    if (status !== 200) return failed(`It answers with the status ${status}.`);
    if (!isComplete) return failed(`Its response has more than ${maxBodyLength / 1024 / 1024} MiB.`);
    const components = await parse(format, body);
    if (!components) return failed('The response is not a status page.');
    const toValidator = (value: string | undefined) => (value && value.length <= maxValidatorLength ? value : null);
    return {
      kind: 'read',
      components,
      cacheControl,
      etag: toValidator(headers.etag),
      lastModified: toValidator(headers['last-modified']),
    };
  } catch (error) {
    return { kind: 'failed', reason: describe(error as NodeJS.ErrnoException), retryAfter: null };
  }
}

/** For all formats together, in milliseconds. */
const detectionMs = 10_000;

/** The first format that the status page has. */
export async function detectUpstream(
  url: string,
  known: UpstreamFormat | null,
  guard: SsrfGuard,
): Promise<{ format: UpstreamFormat; components: UpstreamComponent[] } | { reason: string }> {
  let reason = '';
  const stop = AbortSignal.timeout(guard.timeoutMs ?? detectionMs);
  for (const format of known ? [known] : formatNames) {
    const answer = await readUpstream({ url, format }, { etag: null, lastModified: null }, { ...guard, stop });
    if (answer.kind === 'read') return { format, components: answer.components };
    if (answer.kind === 'failed') reason ||= answer.reason;
    if (stop.aborted) break;
  }
  return { reason };
}

/** Names the address of the status page to which it redirects. */
function describeRedirect(url: string, format: UpstreamFormat, location = ''): string {
  const from = `${url}/${formats[format].path}`;
  const target = location && URL.canParse(location, from) ? new URL(location, from) : null;
  if (!target || !/^https?:$/.test(target.protocol))
    return 'It redirects elsewhere. Use the address to which it redirects.';
  target.username = '';
  target.password = '';
  const page = splitFormat(target).url;
  if (page === url) return `It redirects to ${target.pathname.slice(0, 300)} of the same host, in place of its states.`;
  return page.length > 300 ? `It redirects to the host ${target.host}.` : `It redirects to ${page}. Use that address.`;
}

async function parse(format: UpstreamFormat, body: string): Promise<UpstreamComponent[] | null> {
  await takeParsingTurn();
  try {
    return await formats[format].read(parseJson(body, { maxValues }));
  } catch {
    return null;
  }
}

/** Without the addresses of internal hosts, which errors of connections name. */
function describe(error: NodeJS.ErrnoException): string {
  const { message, code } = error;
  if (error instanceof ForbiddenTarget || message.startsWith('No response within')) return message;
  return code ? `It cannot be reached: ${code}.` : 'It cannot be reached.';
}
