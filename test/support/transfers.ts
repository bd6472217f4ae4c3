import { gzipSync } from 'node:zlib';
import { peopleOrigin, type SignedInPerson } from './people.js';
import type { TestService } from './service.js';

export type Upload = Record<string, string | Buffer>;

interface Options {
  headers?: Record<string, string>;
  /** In place of the files as they are. */
  body?: Buffer;
}

/** Imports files as the console does. */
export async function sendFiles(
  service: TestService,
  { cookie }: Pick<SignedInPerson, 'cookie'>,
  query: Record<string, string>,
  files: Upload,
  { headers, body }: Options = {},
): Promise<{ status: number; text: string }> {
  const contents = Object.entries(files).map(([name, content]) => [name, Buffer.from(content)] as const);
  const parameters = new URLSearchParams(query);
  for (const [name, { length }] of contents) parameters.append('file', `${name}:${length}`);
  const response = await fetch(`${service.url}/console/import?${parameters}`, {
    method: 'POST',
    headers: { cookie, origin: peopleOrigin, 'content-type': 'application/octet-stream', ...headers },
    body: new Uint8Array(body ?? gzipSync(Buffer.concat(contents.map(([, content]) => content)))),
  });
  return { status: response.status, text: await response.text() };
}

/** What the last line of an import says. */
export const lastLine = ({ text }: { text: string }) => JSON.parse(text.trim().split('\n').at(-1)!);

/** The files of answers of an API. */
export const toUpload = (answers: Record<string, unknown>): Upload =>
  Object.fromEntries(Object.entries(answers).map(([name, answer]) => [name, JSON.stringify(answer)]));
