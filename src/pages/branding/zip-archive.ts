import { isUtf8 } from 'node:buffer';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromBuffer, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { normalizeUnicode } from '../../core/text/normalize-unicode.js';

/** The message names the entry and the reason, and may be shown to the uploader. */
export class ArchiveError extends Error {
  override name = 'ArchiveError';
}

/** A file or folder of an archive. The path is relative and normalized; a folder ends with a slash. */
export interface ArchivedFile {
  path: string;
  header: Entry;
  compressed: Buffer;
}

const MAX_ENTRIES = 1_000;
/** Bytes. Unicode normalization of one hostile 64 kB name can take half a second. */
const MAX_NAME = 512;
/** In bytes, by the ZIP specification. */
const LENGTH = {
  localHeader: 30,
  longestDataDescriptor: 24,
  directoryHeader: 46,
  zip64End: 56,
  zip64Locator: 20,
  endRecord: 22,
};
const HOST_UNIX = 3;
const UTF8_NAME = 0x800;
const METHOD = { stored: 0, deflated: 8 };
const MODE = { kind: 0o170000, file: 0o100000, folder: 0o040000, windowsLink: 0x400 };

/** A path is untrusted: it may contain line breaks, terminal codes or right-to-left marks. */
export const entryError = (path: string, reason: string) =>
  new ArchiveError(`"${path.replace(/[\p{C}\p{Zl}\p{Zp}"]/gu, '?')}" ${reason}.`);

/** Lists all entries, each once. yauzl skips gaps between entries; here, each byte must belong to exactly one part. */
export async function listFiles(zip: Buffer): Promise<ArchivedFile[]> {
  const archive = await openArchive(zip);
  const end = readEndRecord(zip, archive.comment.length);
  if (archive.entryCount > MAX_ENTRIES) throw new ArchiveError(`The archive has more than ${MAX_ENTRIES} entries.`);
  const headers = await readHeaders(archive);
  const length = headers.reduce(
    (sum, header) =>
      sum + LENGTH.directoryHeader + header.fileNameLength + header.extraFieldLength + header.fileCommentLength,
    0,
  );
  const { directory } = end;
  const isAsDeclared =
    directory + length === end.start && end.directoryLength === length && end.entryCount === headers.length;
  if (!isAsDeclared) throw new ArchiveError('The directory of the archive does not match its end record.');
  const files = locateFiles(zip.subarray(0, directory), headers);
  refuseDuplicates(files);
  return files;
}

interface EndRecord {
  start: number;
  entryCount: number;
  directory: number;
  directoryLength: number;
}

/** Reads the end record, or that of ZIP64, which some programs write for small archives too. */
function readEndRecord(zip: Buffer, commentLength: number): EndRecord {
  const start = zip.length - LENGTH.endRecord - commentLength;
  const locator = start - LENGTH.zip64Locator;
  if (locator >= LENGTH.zip64End && zip.readUInt32LE(locator) === 0x07064b50) {
    const zip64 = locator - LENGTH.zip64End;
    return {
      // The locator has to point to it, without a gap.
      start: Number(zip.readBigUInt64LE(locator + 8)) === zip64 ? zip64 : Number.NaN,
      entryCount: Number(zip.readBigUInt64LE(zip64 + 24)),
      directoryLength: Number(zip.readBigUInt64LE(zip64 + 40)),
      directory: Number(zip.readBigUInt64LE(zip64 + 48)),
    };
  }
  return {
    start,
    entryCount: zip.readUInt16LE(start + 8),
    directoryLength: zip.readUInt32LE(start + 12),
    directory: zip.readUInt32LE(start + 16),
  };
}

function openArchive(zip: Buffer): Promise<ZipFile> {
  // Names stay bytes, since yauzl would replace invalid UTF-8. Sizes are compared below, where the error can name the
  // entry.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
  const explanation = 'The file is not a ZIP archive, is truncated, or has data after its end.';
  return new Promise((resolve, reject) => {
    fromBuffer(zip, options, (error, archive) => (error ? reject(new ArchiveError(explanation)) : resolve(archive)));
  });
}

function readHeaders(archive: ZipFile): Promise<Entry[]> {
  const headers: Entry[] = [];
  return new Promise((resolve, reject) => {
    archive.on('entry', (header: Entry) => headers.push(header));
    archive.on('entry', () => archive.readEntry());
    archive.on('end', () => resolve(headers));
    archive.on('error', ({ message }: Error) => {
      const reason = message.includes('encryption') ? 'encrypted' : 'corrupt or truncated';
      reject(new ArchiveError(`Entry ${headers.length + 1} of the archive's directory is ${reason}.`));
    });
    archive.readEntry();
  });
}

function locateFiles(body: Buffer, headers: Entry[]): ArchivedFile[] {
  let end = 0;
  let gapAllowed = 0;
  const inOrder = headers.toSorted((one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader);
  const files = inOrder.map(header => {
    const path = readPath(header);
    const start = header.relativeOffsetOfLocalHeader;
    if (start < end) throw entryError(path, 'overlaps another entry');
    if (start > end + gapAllowed) throw entryError(path, 'follows bytes that belong to no entry');
    refuseSpecialFile(header, path);
    const compressed = findCompressed(body, header, path);
    end = compressed.byteOffset - body.byteOffset + compressed.length;
    gapAllowed = header.generalPurposeBitFlag & 0x8 ? LENGTH.longestDataDescriptor : 0;
    return { path, header, compressed };
  });
  if (body.length > end + gapAllowed) throw new ArchiveError('The archive has bytes that belong to no entry.');
  return files;
}

function refuseSpecialFile(header: Entry, path: string): void {
  if (header.isEncrypted()) throw entryError(path, 'is encrypted');
  if (!Object.values(METHOD).includes(header.compressionMethod))
    throw entryError(path, 'uses a compression method other than deflate');
  // Checked whatever system the archive claims to come from. Windows leaves the mode 0.
  const kind = (header.externalFileAttributes >>> 16) & MODE.kind;
  const isOrdinary =
    kind === 0 || kind === MODE.file || (kind === MODE.folder && getNameBytes(header).toString().endsWith('/'));
  if (!isOrdinary || header.externalFileAttributes & MODE.windowsLink)
    throw entryError(path, 'is a link or another special file');
}

/** The local header repeats the directory's. If they differ, two programs would see two different archives. */
function findCompressed(body: Buffer, header: Entry, path: string): Buffer {
  const local = header.relativeOffsetOfLocalHeader;
  const name = local + LENGTH.localHeader;
  if (name > body.length || body.readUInt32LE(local) !== 0x04034b50)
    throw entryError(path, 'is not where the directory of the archive points');
  const nameEnd = name + body.readUInt16LE(local + 26);
  const isSame =
    body.subarray(name, nameEnd).equals(getNameBytes(header)) &&
    body.readUInt16LE(local + 8) === header.compressionMethod;
  if (!isSame) throw entryError(path, 'has a header that differs from the directory of the archive');
  const data = nameEnd + body.readUInt16LE(local + 28);
  if (data + header.compressedSize > body.length)
    throw entryError(path, 'is truncated, or overlaps the directory of the archive');
  return body.subarray(data, data + header.compressedSize);
}

declare module 'yauzl' {
  function getFileNameLowLevel(
    flags: number,
    name: Buffer,
    extraFields: Entry['extraFields'],
    isStrict: boolean,
  ): string;
}

/** The types of yauzl assume the option `decodeStrings`. */
const getNameBytes = (header: Entry) => header.fileName as unknown as Buffer;

function readPath(header: Entry): string {
  const bytes = getNameBytes(header);
  if (bytes.length > MAX_NAME)
    throw entryError(`${bytes.toString().slice(0, 60)}...`, `has a name of more than ${MAX_NAME} bytes`);
  const name = decodeName(header, bytes);
  if (/\p{Cc}/u.test(name)) throw entryError(name, 'has a control character in its name');
  // Windows PowerShell 5 separates folders so.
  const path = name.replaceAll('\\', '/');
  if (/^(\/|[A-Za-z]:)/.test(path)) throw entryError(path, 'is an absolute path');
  // macOS decomposes accented letters, templates use composed ones. bsdtar starts each path with "./".
  const steps = normalizeUnicode(path, 'NFC').split('/');
  if (steps.includes('..')) throw entryError(path, 'leads out of its folder');
  if (steps.slice(0, -1).includes('') || path === '') throw entryError(path, 'has an empty name in its path');
  return steps.filter(step => step !== '.').join('/');
}

/** macOS writes UTF-8 without saying so, Windows the characters of DOS, other programs those of Latin-1. */
function decodeName({ generalPurposeBitFlag, extraFields, versionMadeBy }: Entry, bytes: Buffer): string {
  const text = bytes.toString();
  // The decoder of DOS has pictures for control characters.
  if (isUtf8(bytes) || /\p{Cc}/u.test(text)) return text;
  if (generalPurposeBitFlag & UTF8_NAME) throw entryError(text, 'has a name that is not UTF-8');
  return versionMadeBy >> 8 === HOST_UNIX
    ? new TextDecoder('windows-1252').decode(bytes)
    : getFileNameLowLevel(generalPurposeBitFlag, bytes, extraFields, true);
}

function refuseDuplicates(files: ArchivedFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    // Upper case rather than lower case, since ß becomes SS.
    const key = normalizeUnicode(path.replace(/\/$/, ''), 'NFKC').toUpperCase();
    if (seen.has(key)) throw entryError(path, 'is in the archive twice, perhaps with different capitals or accents');
    seen.add(key);
  }
}

/** The content of a file. It never unpacks to more than its header declares. */
export async function unpack(file: ArchivedFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  let checksum = 0;
  for await (const chunk of file.header.compressionMethod === METHOD.stored ? [file.compressed] : inflate(file)) {
    length += chunk.length;
    if (length > file.header.uncompressedSize) throw entryError(file.path, 'unpacks to more than it declares');
    checksum = crc32(chunk, checksum);
    chunks.push(chunk);
  }
  const isIntact = length === file.header.uncompressedSize && checksum === file.header.crc32;
  if (!isIntact) throw entryError(file.path, 'is corrupt: its size or its checksum does not match');
  return Buffer.concat(chunks);
}

/** yauzl's read stream leaks the inflater when it is abandoned, and ignores bytes after the end of the data. */
async function* inflate(file: ArchivedFile): AsyncGenerator<Buffer> {
  // The inflater allocates a chunk at once: 64 kB for each of 1,000 small files.
  const inflater = createInflateRaw({ chunkSize: Math.min(Math.max(file.header.uncompressedSize, 64), 64 * 1024) });
  inflater.end(file.compressed);
  try {
    yield* inflater as AsyncIterable<Buffer>;
  } catch {
    throw entryError(file.path, 'is corrupt: it cannot be decompressed');
  }
  if (inflater.bytesWritten !== file.compressed.length)
    throw entryError(file.path, 'has data after the end of its compressed content');
}
