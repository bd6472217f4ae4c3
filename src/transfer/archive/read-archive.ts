import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type Options, type ZipFile } from 'yauzl';
import { refuseArchive } from './archive-error.js';
import { type FileDigest, type Manifest, manifestName, parseManifest } from './manifest.js';

/** Of a line: a theme of 10 MB as base64, and what is around it. Files may have any length: they are read in parts. */
const maxLineLength = 16 * 1024 * 1024;
const maxManifestBytes = 1024 * 1024;
/** An archive has a file for each kind of records. */
const maxEntries = 100;
/** What exports write is 5 to 40 times as long as it is compressed, and zeros are 1,000 times. */
const maxRatio = 200;
const minBombBytes = 64 * 1024 * 1024;

const open = promisify<string, Options, ZipFile>(yauzl.open);

/** An open ZIP file whose entries are exactly those of its manifest. */
export interface Archive {
  manifest: Manifest;
  /** The lines of a file. Throws at its end if it is not the one of the manifest. */
  readLines(file: string): AsyncGenerator<string>;
}

/** Opens a ZIP file for the time of some work. */
export async function withArchive<Result>(path: string, work: (archive: Archive) => Promise<Result>): Promise<Result> {
  const zip = await open(path, { lazyEntries: true, autoClose: false }).catch((error: NodeJS.ErrnoException) => {
    throw refuseArchive(error.code === 'ENOENT' ? 'there is no such file' : 'it is not a ZIP file');
  });
  try {
    const entries = await readEntries(zip);
    const manifest = await readManifest(zip, entries);
    requireFiles(Object.keys(manifest.files), [...entries.keys()]);
    return await work({ manifest, readLines: file => readLines(zip, entries.get(file)!, manifest.files[file]!) });
  } finally {
    zip.close();
  }
}

function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    let bytes = 0;
    zip.on('entry', (entry: Entry) => {
      bytes += entry.uncompressedSize;
      const isBomb = bytes > minBombBytes && bytes > zip.fileSize * maxRatio;
      if (entries.has(entry.fileName)) return reject(refuseArchive('a file is in it twice'));
      if (entries.size === maxEntries) return reject(refuseArchive(`it has more than ${maxEntries} files`));
      if (isBomb) return reject(refuseArchive(`it unpacks to more than ${maxRatio} times its size`));
      entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', () => reject(refuseArchive('its directory is corrupt')));
    zip.readEntry();
  });
}

async function readManifest(zip: ZipFile, entries: Map<string, Entry>): Promise<Manifest> {
  const entry = entries.get(manifestName);
  if (!entry) throw refuseArchive(`it has no ${manifestName}`);
  if (entry.uncompressedSize > maxManifestBytes) throw refuseArchive(`${manifestName} is larger than 1 MB`);
  let text = '';
  for await (const part of readText(zip, entry)) text += part;
  return parseManifest(text);
}

function requireFiles(declared: string[], entries: string[]): void {
  const missing = declared.find(name => !entries.includes(name));
  if (missing !== undefined) throw refuseArchive(`${missing} is missing`);
  if (entries.some(name => name !== manifestName && !declared.includes(name)))
    throw refuseArchive(`it has a file that is not in ${manifestName}`);
}

async function* readLines(zip: ZipFile, entry: Entry, expected: FileDigest): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let rest = '';
  for await (const text of readText(zip, entry, bytes => hash.update(bytes))) {
    rest += text;
    if (rest.length > maxLineLength + text.length) throw refuseArchive(`${entry.fileName} has a line that is too long`);
    // A line of some MB is split once.
    if (!text.includes('\n')) continue;
    const lines = rest.split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest) throw refuseArchive(`${entry.fileName} does not end with a line break`);
  if (hash.digest('hex') !== expected.sha256)
    throw refuseArchive(`${entry.fileName} does not have the SHA-256 of ${manifestName}`);
}

/** The text of an entry, part by part. It never unpacks to more than its header declares. */
async function* readText(zip: ZipFile, entry: Entry, onBytes = (_: Buffer) => {}): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let checksum = 0;
  let isIntact = false;
  try {
    const stream: Readable = await promisify<Entry, Readable>(zip.openReadStream.bind(zip))(entry);
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      onBytes(bytes);
      checksum = crc32(bytes, checksum);
      yield decoder.decode(bytes, { stream: true });
    }
    decoder.decode();
    isIntact = checksum === entry.crc32;
  } catch {
    // Refused below.
  }
  if (!isIntact) throw refuseArchive(`${entry.fileName} is corrupt`);
}
