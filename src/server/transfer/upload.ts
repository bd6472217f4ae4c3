import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type AnnouncedFile, parseFiles, receiveFiles } from './receive-files.js';

export interface Upload {
  /** Of this upload alone; it is removed afterwards. */
  folder: string;
  files: AnnouncedFile[];
  /** In place of files: of the API of a product. It is in the body since addresses are logged. */
  token: string;
}

const tokenName = 'token';
const maxTokenBytes = 4096;

export async function createFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'all-clear-upload-'));
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
  const isToken = files.length === 1 && files[0]!.name === tokenName && files[0]!.bytes <= maxTokenBytes;
  await receiveFiles(request, folder, files);
  if (!isToken) return { folder, files, token: '' };
  return { folder, files: [], token: (await readFile(join(folder, tokenName), 'utf8')).trim() };
}
