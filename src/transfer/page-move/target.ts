import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { z } from 'zod';
import { CommandError } from '../../core/errors.js';

type Report = (done: number, total: number) => void;

interface TargetOptions {
  /** The origin of the other installation. */
  url: string;
  /** Of an owner of all its pages. */
  token: string;
  fetch: typeof globalThis.fetch;
  /** Between two requests for whether the page has arrived. */
  presenceIntervalMs?: number;
}

interface SentArchive {
  path: string;
  /** Of its secrets. */
  passphrase: string;
}

/** Visitors are redirected to it, and to paths appended to it; without a protocol, `z.url` takes `javascript:`, too. */
const pageUrl = z.url({ protocol: /^https?$/ }).endsWith('/');

/** The lines of a response to an import. */
const line = z.object({
  progress: z.object({ done: z.number(), total: z.number() }).optional(),
  result: z
    .object({ pages: z.array(z.object({ id: z.string(), url: pageUrl })), rows: z.record(z.string(), z.number()) })
    .optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
type Line = z.infer<typeof line>;
export type ImportedPages = NonNullable<Line['result']>;

const presenceTries = 10;
const presenceTimeoutMs = 5_000;
/** The target sends a line every 5 seconds. */
const silenceMs = 20_000;
/** Codes of failures that may come after the import was committed. */
const uncertainCodes = ['UNAVAILABLE', 'SYSTEM'];

/** `duplex` is required with a stream. The type of the body does not know streams of Node, which `fetch` takes. */
const streamed = (body: Readable) => ({ body: body as unknown as RequestInit['body'], duplex: 'half' as const });

/** The connection ended before the answer: the other installation may have the page or not. */
export class UnknownOutcome extends Error {}

/** The installation that a page moves to, over HTTP. */
export class Target {
  constructor(private readonly options: TargetOptions) {}

  /** Has the target import an archive, or only try to. Throws a CommandError with what it refuses. */
  async import(archive: SentArchive, { isDryRun }: { isDryRun: boolean }, report: Report): Promise<ImportedPages> {
    try {
      return await this.send(archive, isDryRun, report);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw new UnknownOutcome(describeFailure(error), { cause: error });
    }
  }

  /**
   * Whether the target has a page after an import without an answer. An import ends without the connection of its
   * client; null: the target does not answer.
   */
  async has(pageId: string): Promise<boolean | null> {
    let answer: boolean | null = null;
    for (let tries = 0; tries < presenceTries && !answer; tries++) {
      if (tries) await sleep(this.options.presenceIntervalMs ?? 1_000);
      const status = await this.request(`/v1/pages/${pageId}`, { signal: AbortSignal.timeout(presenceTimeoutMs) }).then(
        ({ status }) => status,
        () => 0,
      );
      // 410: it was there before it moved here.
      if (status === 200 || status === 404 || status === 410) answer = status === 200;
    }
    return answer;
  }

  private async send({ path, passphrase }: SentArchive, isDryRun: boolean, report: Report): Promise<ImportedPages> {
    const query = new URLSearchParams({ from: 'archive', dryRun: String(isDryRun) });
    query.append('file', `archive.zip:${(await stat(path)).size}`);
    query.append('file', `passphrase:${Buffer.byteLength(passphrase)}`);
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error('it was silent for too long')), silenceMs);
    const content = async function* () {
      for await (const chunk of createReadStream(path)) {
        timer.refresh();
        yield chunk;
      }
      yield Buffer.from(passphrase);
    };
    const body = createGzip({ level: 1 });
    // A failure destroys the body, and so ends the request.
    pipeline(Readable.from(content()), body, () => {});
    try {
      const response = await this.request(`/console/import?${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        signal: silence.signal,
        ...streamed(body),
      });
      if (response.status >= 500) throw new Error(`it answers with status ${response.status}`);
      if (response.status !== 200)
        throw refused(parseMessage(await response.text()) ?? `it answers with status ${response.status}`);
      for await (const text of readLines(response.body!)) {
        timer.refresh();
        const { progress, result, error } = line.parse(JSON.parse(text));
        if (progress) report(progress.done, progress.total);
        if (error) throw uncertainCodes.includes(error.code) ? new Error(error.message) : refused(error.message);
        if (result) return result;
      }
      throw new Error('the answer has no result');
    } finally {
      clearTimeout(timer);
    }
  }

  private request(path: string, init: RequestInit = {}): Promise<Response> {
    const { url, token, fetch } = this.options;
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    return fetch(`${url}${path}`, { ...init, headers, redirect: 'error' });
  }
}

/** The interface of readline does not pass on errors of its input. */
async function* readLines(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest) yield rest;
}

const refused = (message: string) => new CommandError(`The other installation refuses the page: ${message}\n`);

/** The sentence of the target; undefined where a proxy has answered. */
function parseMessage(text: string): string | undefined {
  try {
    return z.object({ error: z.object({ message: z.string() }) }).parse(JSON.parse(text)).error.message;
  } catch {
    return undefined;
  }
}

/** The cause of a failed `fetch` says more than its message. */
function describeFailure(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code! : message;
}
