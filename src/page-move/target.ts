import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { z } from 'zod';
import { CommandError } from '../core/errors.js';

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

/** The lines of a response to an import. */
const line = z.object({
  progress: z.object({ done: z.number(), total: z.number() }).optional(),
  result: z
    .object({ pages: z.array(z.object({ id: z.string(), url: z.url() })), rows: z.record(z.string(), z.number()) })
    .optional(),
  error: z.object({ message: z.string() }).optional(),
});
type Line = z.infer<typeof line>;
export type ImportedPages = NonNullable<Line['result']>;

const presenceTries = 10;

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
      const status = await this.request(`/v1/pages/${pageId}`).then(
        ({ status }) => status,
        () => 0,
      );
      if (status === 200 || status === 404) answer = status === 200;
    }
    return answer;
  }

  private async send({ path, passphrase }: SentArchive, isDryRun: boolean, report: Report): Promise<ImportedPages> {
    const query = new URLSearchParams({ from: 'archive', dryRun: String(isDryRun) });
    query.append('file', `archive.zip:${(await stat(path)).size}`);
    query.append('file', `passphrase:${Buffer.byteLength(passphrase)}`);
    const content = async function* () {
      yield* createReadStream(path);
      yield Buffer.from(passphrase);
    };
    const body = Readable.from(content()).pipe(createGzip({ level: 1 }));
    const headers = { 'content-type': 'application/octet-stream' };
    const response = await this.request(`/console/import?${query}`, { method: 'POST', headers, ...streamed(body) });
    if (response.status !== 200)
      throw refused(parseMessage(await response.text()) ?? `it answers with status ${response.status}`);
    for await (const text of createInterface({ input: Readable.fromWeb(response.body as never) })) {
      const { progress, result, error } = line.parse(JSON.parse(text));
      if (progress) report(progress.done, progress.total);
      if (error) throw refused(error.message);
      if (result) return result;
    }
    throw new Error('the answer has no result');
  }

  private request(path: string, init: RequestInit = {}): Promise<Response> {
    const { url, token, fetch } = this.options;
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    return fetch(`${url}${path}`, { ...init, headers, redirect: 'error' });
  }
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
