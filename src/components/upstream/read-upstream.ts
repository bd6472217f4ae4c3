import type { Settings } from '../../core/config.js';
import { EventLoopTurns } from '../../core/queues/event-loop-turns.js';
import { parseJson } from '../../http/body.js';
import { ForbiddenTarget, requestGuarded, type SsrfGuard } from '../../http/guarded-request.js';
import { formatNames, formats, splitFormat, type UpstreamComponent, type UpstreamFormat } from './formats.js';
import { createItemParser } from './parse-each.js';

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

/** For all formats together, in milliseconds. */
const detectionMs = 10_000;

/** Reads other status pages. */
export class UpstreamReader {
  /** Of all responses together: the pages of others are served between two. */
  private readonly turns = new EventLoopTurns();

  constructor(readonly guard: SsrfGuard) {}

  /** Reads the components of a status page. Redirects are not followed: they count as failures. */
  async read(
    { url, format }: { url: string; format: UpstreamFormat },
    { etag, lastModified }: Validators,
    stop?: AbortSignal,
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
        { ...this.guard, stop },
      );
      const cacheControl = headers['cache-control'] ?? null;
      if (status === 304 && (etag || lastModified)) return { kind: 'unchanged', cacheControl };
      const failed = (reason: string) =>
        ({ kind: 'failed', reason, retryAfter: headers['retry-after'] ?? null }) satisfies UpstreamAnswer;
      if (status >= 300 && status < 400) return failed(describeRedirect(url, format, headers.location));
      if (status !== 200) return failed(`It answers with the status ${status}.`);
      if (!isComplete) return failed(`Its response has more than ${maxBodyLength / 1024 / 1024} MiB.`);
      const components = await this.parse(format, body);
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

  /** The first format that the status page has. */
  async detect(
    url: string,
    known: UpstreamFormat | null,
  ): Promise<{ format: UpstreamFormat; components: UpstreamComponent[] } | { reason: string }> {
    let reason = '';
    const stop = AbortSignal.timeout(this.guard.timeoutMs ?? detectionMs);
    for (const format of known ? [known] : formatNames) {
      const answer = await this.read({ url, format }, { etag: null, lastModified: null }, stop);
      if (answer.kind === 'read') return { format, components: answer.components };
      if (answer.kind === 'failed') reason ||= answer.reason;
      if (stop.aborted) break;
    }
    return { reason };
  }

  private async parse(format: UpstreamFormat, body: string): Promise<UpstreamComponent[] | null> {
    await this.turns.take();
    try {
      return await formats[format].read(parseJson(body, { maxValues }), createItemParser(this.turns));
    } catch {
      return null;
    }
  }
}

type RequestSettings = Pick<Settings, 'allowPrivateTargets' | 'httpProxy' | 'httpsProxy' | 'noProxy'>;

export const createUpstreamReader = (settings: RequestSettings): UpstreamReader =>
  new UpstreamReader({ allowPrivate: settings.allowPrivateTargets, proxies: settings });

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

/** Without the addresses of internal hosts, which errors of connections name. */
function describe(error: NodeJS.ErrnoException): string {
  const { message, code } = error;
  if (error instanceof ForbiddenTarget || message.startsWith('No response within')) return message;
  return code ? `It cannot be reached: ${code}.` : 'It cannot be reached.';
}
