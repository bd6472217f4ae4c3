import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { badRequest, Refusal } from '../../core/errors.js';

export interface AnnouncedFile {
  name: string;
  bytes: number;
}

const maxFiles = 100;
/** No path, and no hidden file. */
const filePattern = /^(\w[\w.-]{0,99}):(\d{1,12})$/;
const megabyte = 1024 * 1024;

/** Parses `name:bytes` of each file of a body, in their order. */
export function parseFiles(values: readonly string[], maxBytes: number): AnnouncedFile[] {
  const files = values.map(value => {
    const [, name, bytes] = filePattern.exec(value) ?? [];
    if (!name) throw badRequest('The name of a file may have letters, digits, dots, hyphens and underscores only.');
    return { name, bytes: Number(bytes) };
  });
  if (files.length > maxFiles) throw badRequest(`At most ${maxFiles} files can be uploaded at once.`);
  if (new Set(files.map(({ name }) => name)).size < files.length) throw badRequest('Two files have the same name.');
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes)
    throw new Refusal('PAYLOAD_TOO_LARGE', `The files have more than ${maxBytes / megabyte} MB: use allclear import.`);
  return files;
}

/**
 * Writes a body, which is the files one after the other and compressed by gzip, to a folder. It never unpacks more than
 * was announced.
 */
export async function receiveFiles(request: Readable, folder: string, files: readonly AnnouncedFile[]): Promise<void> {
  const missing = files.map(file => ({ ...file }));
  const write = async (unpacked: AsyncIterable<Buffer>) => {
    for await (let part of unpacked)
      while (part.length) {
        const [file] = missing;
        if (!file) throw badRequest('The body is longer than its files.');
        const content = part.subarray(0, file.bytes);
        await appendFile(join(folder, file.name), content, { mode: 0o600 });
        part = part.subarray(content.length);
        file.bytes -= content.length;
        if (!file.bytes) missing.shift();
      }
  };
  try {
    await pipeline(request, createGunzip({ chunkSize: 256 * 1024 }), write);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new Refusal('UNAVAILABLE', 'There is too little space on the disk for the upload.');
    if (error instanceof Refusal) throw error;
    throw badRequest('The body is not compressed by gzip, or was not sent to its end.');
  }
  if (missing.some(({ bytes }) => bytes)) throw badRequest('The body is shorter than its files.');
}
