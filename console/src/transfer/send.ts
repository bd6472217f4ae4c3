import { ConnectionError, RequestError } from '../api/transport.ts';

/** What an import would write, or wrote, of a page of another product. */
export interface ProductReport {
  pageId: string | null;
  dryRun: boolean;
  kinds: { kind: string; created: number; changed: number; unchanged: number; leftOut: number }[];
  leftOut: { kind: string; sourceId: string; reason: string }[];
}

/** The same of an archive. */
export interface ArchiveReport {
  dryRun: boolean;
  pages: { id: string; name: string }[];
  rows: Record<string, number>;
  roles: { email: string; role: string; page_id: string | null }[];
  domains: { domain: string; page_id: string }[];
}

export interface Transfer {
  from: string;
  dryRun: boolean;
  page?: string | null;
  files: { name: string; content: Blob }[];
  timeZone?: string;
  sourcePage?: string;
  url?: string;
}

interface Line<Report> {
  progress?: { done: number; total: number };
  result?: Report;
  error?: { code: string; message: string };
}

const bytes = { 'content-type': 'application/octet-stream' };

type UploadedFile = Transfer['files'][number];

/** Names files in the address, and packs them into a body. */
async function pack(query: URLSearchParams, files: UploadedFile[]): Promise<Blob> {
  for (const { name, content } of files) query.append('file', `${name}:${content.size}`);
  const packed = new Blob(files.map(({ content }) => content)).stream().pipeThrough(new CompressionStream('gzip'));
  return new Blob([await new Response(packed).blob()], { type: bytes['content-type'] });
}

/** In the body, since addresses are logged. */
export const toPassphraseFiles = (passphrase: string): UploadedFile[] =>
  passphrase ? [{ name: 'passphrase', content: new Blob([passphrase]) }] : [];

/** Uploads files, compressed, and follows the import until its report. The progress is a share; null: not known. */
export async function sendImport<Report>(
  { files, ...options }: Transfer,
  onProgress: (share: number | null) => void,
): Promise<Report> {
  onProgress(null);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) if (value != null && value !== '') query.set(name, `${value}`);
  const body = await pack(query, files);
  const response = await post(`/console/import?${query}`, body);
  for await (const { progress, result, error } of readLines<Report>(response)) {
    if (progress) onProgress(progress.total ? progress.done / progress.total : null);
    if (error) throw new RequestError(error.message, error.code);
    if (result) return result;
  }
  throw new ConnectionError(
    'The connection ended before the import did, which may go on without it. Look at the page before you try again.',
  );
}

/** The archive of a page, with its secrets if there is a passphrase. */
export async function fetchArchive(pageId: string, passphrase: string): Promise<Blob> {
  const query = new URLSearchParams({ page: pageId });
  const body = passphrase ? await pack(query, toPassphraseFiles(passphrase)) : '';
  const response = await post(`/console/export?${query}`, body);
  return response.blob().catch(() => {
    throw new ConnectionError('The connection ended before the archive did. Try again.');
  });
}

async function post(address: string, body: BodyInit): Promise<Response> {
  const response = await fetch(address, { method: 'POST', headers: bytes, body }).catch(() => {
    throw new ConnectionError('The service cannot be reached, or the upload took longer than 30 seconds.');
  });
  if (response.ok) return response;
  const refused = await response.json().catch(() => null);
  throw new RequestError(
    refused?.error?.message ?? `The request was refused with status ${response.status}.`,
    refused?.error?.code ?? 'REFUSED',
  );
}

async function* readLines<Report>(response: Response): AsyncGenerator<Line<Report>> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  // A connection that ends is an end without a report.
  const read = () => reader.read().catch(() => ({ done: true, value: '' }));
  for (let part = await read(); !part.done; part = await read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line);
  }
}
