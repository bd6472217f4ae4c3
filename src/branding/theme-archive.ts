import { isUtf8 } from 'node:buffer';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** The files of a theme, by the names that templates use. */
export interface ThemeFiles {
  /** By path without extension: `status-page`, `layouts/boilerplate`, `includes/components/list`. */
  templates: Map<string, string>;
  /** By language code as in the file name, `en` or `pt-BR`. Always an object; its leaves are not validated. */
  locales: Map<string, unknown>;
  assets: Map<string, Buffer>;
}

/** The message names the entry and the reason, and may be shown to the uploader. */
export class ThemeArchiveError extends Error {
  override name = 'ThemeArchiveError';
}

const MEGABYTE = 1024 * 1024;
const MAXIMUM_ENTRIES = 1_000;
/** Bytes. Unicode normalization of one hostile 64 kB name can take half a second. */
const MAXIMUM_NAME = 512;
const MAXIMUM_UNPACKED = 50 * MEGABYTE;
/** Locales are smaller: a megabyte of brackets blocks JSON.parse, and with it every visitor, for 100 ms. */
const MAXIMUM_FILE = { templates: MEGABYTE, locales: MEGABYTE / 4, assets: Number.POSITIVE_INFINITY };
const MAXIMUM_LOCALE_DEPTH = 20;
/** Text and flat images compress 3 to 30 times. Below a megabyte any ratio is harmless. */
const BOMB_RATIO = 100;
/** In bytes, by the ZIP specification. */
const LENGTH = { localHeader: 30, longestDataDescriptor: 24, directoryHeader: 46, zip64Locator: 20, endRecord: 22 };
const METHOD = { stored: 0, deflated: 8 };
const MODE = { kind: 0o170000, file: 0o100000, folder: 0o040000, windowsLink: 0x400 };

const DESTINATIONS = [
  ['templates', /^((?:status|error|maintenance)-page|layouts\/boilerplate|includes\/.+)\.liquid$/],
  ['locales', /^locales\/([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.json$/],
  ['assets', /^assets\/(.+)$/],
] as const;
/** Files that operating systems create, and the empty path that is bsdtar's "./". */
const IGNORED = /^$|(^|\/)(\.[^/]*|__MACOSX|(eh)?thumbs\.db|desktop\.ini)(\/|$)/i;

type Destination = { kind: keyof ThemeFiles; name: string };
type ArchivedFile = { path: string; header: Entry; compressed: Buffer; destination?: Destination };

/** Validates every entry, including those that a theme does not use. */
export async function readThemeArchive(zip: Buffer): Promise<ThemeFiles> {
  const files = assignDestinations(await listFiles(zip));
  refuseDuplicates(files);
  refuseExcess(files);
  const theme: ThemeFiles = { templates: new Map(), locales: new Map(), assets: new Map() };
  for (const file of files) {
    const bytes = await unpack(file);
    if (file.destination?.kind === 'templates') theme.templates.set(file.destination.name, readText(file, bytes));
    if (file.destination?.kind === 'locales')
      theme.locales.set(file.destination.name, readLocale(file, readText(file, bytes)));
    if (file.destination?.kind === 'assets') theme.assets.set(file.destination.name, bytes);
  }
  if (!theme.templates.has('status-page')) throw new ThemeArchiveError('The archive has no "status-page.liquid".');
  return theme;
}

/** A path is untrusted: it may contain line breaks, terminal codes or right-to-left marks. */
const entryError = (path: string, reason: string) =>
  new ThemeArchiveError(`"${path.replace(/[\p{C}\p{Zl}\p{Zp}"]/gu, '?')}" ${reason}.`);

/** yauzl reads only the central directory and skips gaps; here, each byte must belong to exactly one part. */
async function listFiles(zip: Buffer): Promise<ArchivedFile[]> {
  const archive = await openArchive(zip);
  const end = zip.length - LENGTH.endRecord - archive.comment.length;
  const isZip64 = end >= LENGTH.zip64Locator && zip.readUInt32LE(end - LENGTH.zip64Locator) === 0x07064b50;
  if (isZip64) throw new ThemeArchiveError('The archive is in ZIP64 format, which is not supported.');
  if (archive.entryCount > MAXIMUM_ENTRIES)
    throw new ThemeArchiveError(`The archive has more than ${MAXIMUM_ENTRIES} entries.`);
  const headers = await readHeaders(archive);
  const directory = zip.readUInt32LE(end + 16);
  const length = headers.reduce(
    (sum, header) =>
      sum + LENGTH.directoryHeader + header.fileNameLength + header.extraFieldLength + header.fileCommentLength,
    0,
  );
  const isAsDeclared =
    directory + length === end && zip.readUInt32LE(end + 12) === length && zip.readUInt16LE(end + 8) === headers.length;
  if (!isAsDeclared) throw new ThemeArchiveError('The directory of the archive does not match its end record.');
  return locateFiles(zip.subarray(0, directory), headers);
}

function openArchive(zip: Buffer): Promise<ZipFile> {
  // Names stay bytes, since yauzl would replace invalid UTF-8. Sizes are compared below, where the error can name the
  // entry.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
  const explanation = 'The file is not a ZIP archive, is truncated, or has data after its end.';
  return new Promise((resolve, reject) => {
    fromBuffer(zip, options, (error, archive) =>
      error ? reject(new ThemeArchiveError(explanation)) : resolve(archive),
    );
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
      reject(new ThemeArchiveError(`Entry ${headers.length + 1} of the archive's directory is ${reason}.`));
    });
    archive.readEntry();
  });
}

function locateFiles(body: Buffer, headers: Entry[]): ArchivedFile[] {
  let claimed = 0;
  let unclaimedAllowed = 0;
  const inOrder = headers.toSorted((one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader);
  const files = inOrder.map(header => {
    const path = readPath(header);
    const start = header.relativeOffsetOfLocalHeader;
    if (start < claimed) throw entryError(path, 'overlaps another entry');
    if (start > claimed + unclaimedAllowed) throw entryError(path, 'follows bytes that belong to no entry');
    refuseSpecialFile(header, path);
    const compressed = findCompressed(body, header, path);
    claimed = compressed.byteOffset - body.byteOffset + compressed.length;
    unclaimedAllowed = header.generalPurposeBitFlag & 0x8 ? LENGTH.longestDataDescriptor : 0;
    return { path, header, compressed };
  });
  if (body.length > claimed + unclaimedAllowed)
    throw new ThemeArchiveError('The archive has bytes that belong to no entry.');
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

/** The types of yauzl assume the option `decodeStrings`. */
const getNameBytes = (header: Entry) => header.fileName as unknown as Buffer;

function readPath(header: Entry): string {
  const bytes = getNameBytes(header);
  const path = bytes.toString();
  if (bytes.length > MAXIMUM_NAME)
    throw entryError(`${path.slice(0, 60)}...`, `has a name of more than ${MAXIMUM_NAME} bytes`);
  if (!isUtf8(bytes)) throw entryError(path, 'has a name that is not UTF-8');
  if (/[\p{Cc}\\]/u.test(path)) throw entryError(path, 'has a backslash or a control character in its name');
  if (/^(\/|[A-Za-z]:)/.test(path)) throw entryError(path, 'is an absolute path');
  // macOS decomposes accented letters, templates use composed ones. bsdtar starts each path with "./".
  const steps = path.normalize('NFC').split('/');
  if (steps.includes('..')) throw entryError(path, 'leads out of its folder');
  if (steps.slice(0, -1).includes('') || path === '') throw entryError(path, 'has an empty name in its path');
  return steps.filter(step => step !== '.').join('/');
}

function refuseDuplicates(files: ArchivedFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    // Upper case rather than lower case, since ß becomes SS.
    const key = path.replace(/\/$/, '').normalize('NFKC').toUpperCase();
    if (seen.has(key)) throw entryError(path, 'is in the archive twice, perhaps with different capitals or accents');
    seen.add(key);
  }
}

function assignDestinations(files: ArchivedFile[]): ArchivedFile[] {
  const used = files.filter(({ path }) => !IGNORED.test(path));
  const wrapper = `${used[0]?.path.split('/')[0]}/`;
  const start = used.every(({ path }) => path.startsWith(wrapper)) ? wrapper.length : 0;
  return files.map(file =>
    IGNORED.test(file.path) ? file : { ...file, destination: findDestination(file.path, file.path.slice(start)) },
  );
}

function findDestination(fullPath: string, path: string): Destination | undefined {
  if (/^assets\/.+\//.test(path)) throw entryError(fullPath, 'is in a subfolder of assets; assets must be flat');
  for (const [kind, pattern] of DESTINATIONS) {
    const name = pattern.exec(path)?.[1];
    if (name) return { kind, name };
  }
}

/** Checks the sizes that the headers declare, before unpacking. `unpack` enforces them while it reads. */
function refuseExcess(files: ArchivedFile[]): void {
  let unpacked = 0;
  let compressed = 0;
  for (const file of files) {
    const size = file.header.uncompressedSize;
    const kind = file.destination?.kind ?? 'assets';
    if (size > MAXIMUM_FILE[kind]) throw entryError(file.path, `is larger than ${MAXIMUM_FILE[kind] / 1024} kB`);
    if (isZipBomb(size, file.compressed.length)) throw entryError(file.path, 'has a suspicious compression ratio');
    unpacked += size;
    compressed += file.compressed.length;
    if (unpacked > MAXIMUM_UNPACKED)
      throw entryError(file.path, `makes the archive larger than ${MAXIMUM_UNPACKED / MEGABYTE} MB unpacked`);
  }
  if (isZipBomb(unpacked, compressed)) throw new ThemeArchiveError('The archive has a suspicious compression ratio.');
}

const isZipBomb = (unpacked: number, compressed: number) => unpacked > MEGABYTE && unpacked > compressed * BOMB_RATIO;

async function unpack(file: ArchivedFile): Promise<Buffer> {
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

function readText(file: ArchivedFile, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw entryError(file.path, 'is not UTF-8 text');
  return bytes.toString().replace(/^\uFEFF/, '');
}

function readLocale(file: ArchivedFile, text: string): unknown {
  let texts: unknown;
  try {
    texts = JSON.parse(text);
  } catch {
    throw entryError(file.path, 'is not well-formed JSON');
  }
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts))
    throw entryError(file.path, 'is not a JSON object of texts');
  let level: unknown[] = [texts];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAXIMUM_LOCALE_DEPTH)
      throw entryError(file.path, `is nested more than ${MAXIMUM_LOCALE_DEPTH} levels deep`);
    level = level.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return texts;
}
