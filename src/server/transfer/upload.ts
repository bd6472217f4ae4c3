import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createTemporaryFolder } from '../../transfer/archive/temporary-folder.js';
import { type AnnouncedFile, parseFiles, receiveFiles } from './receive-files.js';

export interface Upload {
  /** Of this upload alone; it is removed afterwards. */
  folder: string;
  files: AnnouncedFile[];
  /** In place of files: of the API of a product. */
  token: string;
  /** Of the secrets of an archive. */
  passphrase: string;
}

/** They are in the body, as files, since addresses are logged. */
const secretNames = ['token', 'passphrase'];
export const maxSecretBytes = 4096;

export async function createFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await createTemporaryFolder('upload');
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Writes the files of a body to a folder. */
export async function receiveUpload(
  request: Readable,
  folder: string,
  names: readonly string[],
  maxBytes: number,
): Promise<Upload> {
  const files = parseFiles(names, maxBytes);
  await receiveFiles(request, folder, files);
  const secrets = files.filter(({ name, bytes }) => secretNames.includes(name) && bytes <= maxSecretBytes);
  // An empty one has no file.
  const [token = '', passphrase = ''] = await Promise.all(
    secretNames.map(async name =>
      secrets.some(file => file.name === name && file.bytes) ? await readFile(join(folder, name), 'utf8') : '',
    ),
  );
  return { folder, files: files.filter(file => !secrets.includes(file)), token: token.trim(), passphrase };
}
