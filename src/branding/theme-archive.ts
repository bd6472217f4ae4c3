import { isUtf8 } from 'node:buffer';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** What a theme brings along, by the names under which templates ask for it. */
export interface ThemeFiles {
  /** By path without the ending: `status-page`, `layouts/boilerplate`, `includes/components/list`. */
  templates: Map<string, string>;
  /** By language code as the file is named, `en` or `pt-BR`; always an object, its leaves are not looked at. */
  locales: Map<string, unknown>;
  assets: Map<string, Buffer>;
}

/** Its message names the entry and the reason, and may be shown to the uploader as it is. */
export class ThemeArchiveError extends Error {
  override name = 'ThemeArchiveError';
}

const MEGABYTE = 1024 * 1024;
const MAXIMUM_ENTRIES = 1_000;
/** In bytes. Putting the accents of one 64 kB name in order can take half a second. */
const MAXIMUM_NAME = 512;
const MAXIMUM_UNPACKED = 50 * MEGABYTE;
/** A locale has less than a template: a megabyte of brackets holds JSON.parse, and with it every visitor, for 100 ms. */
const MAXIMUM_FILE = { templates: MEGABYTE, locales: MEGABYTE / 4, assets: Number.POSITIVE_INFINITY };
const MAXIMUM_LOCALE_DEPTH = 20;
/** Text and flat images pack by 3 to 30. Below a megabyte any ratio is harmless. */
const BOMB_RATIO = 100;
/** In bytes, by the ZIP specification. */
const LENGTH = { localHeader: 30, longestDataDescriptor: 24, directoryHeader: 46, zip64Locator: 20, endRecord: 22 };
const METHOD = { stored: 0, deflated: 8 };
const MODE = { kind: 0o170000, file: 0o100000, folder: 0o040000, windowsLink: 0x400 };

const PATHS = [
  ['templates', /^((?:status|error|maintenance)-page|layouts\/boilerplate|includes\/.+)\.liquid$/],
  ['locales', /^locales\/([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.json$/],
  ['assets', /^assets\/(.+)$/],
] as const;
/** What systems leave lying about, and the empty path that is bsdtar's "./". */
const RUBBISH = /^$|(^|\/)(\.[^/]*|__MACOSX|(eh)?thumbs\.db|desktop\.ini)(\/|$)/i;

type Place = { kind: keyof ThemeFiles; name: string };
type ArchivedFile = { path: string; header: Entry; packed: Buffer; place?: Place };

/** Checks every entry, those too that a theme has no use for. */
export async function readThemeArchive(zip: Buffer): Promise<ThemeFiles> {
  const files = placeFiles(await listFiles(zip));
  refuseDuplicates(files);
  refuseExcess(files);
  const theme: ThemeFiles = { templates: new Map(), locales: new Map(), assets: new Map() };
  for (const file of files) {
    const bytes = await unpack(file);
    if (file.place?.kind === 'templates') theme.templates.set(file.place.name, readText(file, bytes));
    if (file.place?.kind === 'locales') theme.locales.set(file.place.name, readTexts(file, readText(file, bytes)));
    if (file.place?.kind === 'assets') theme.assets.set(file.place.name, bytes);
  }
  if (!theme.templates.has('status-page')) throw new ThemeArchiveError('The archive has no "status-page.liquid".');
  return theme;
}

/** A path is the uploader's bytes: it could hold line breaks, terminal codes or right-to-left marks. */
const refused = (path: string, reason: string) =>
  new ThemeArchiveError(`"${path.replace(/[\p{C}\p{Zl}\p{Zp}"]/gu, '?')}" ${reason}.`);

/** yauzl reads only the directory. It passes over whatever stands between the parts, so here each byte must have one owner. */
async function listFiles(zip: Buffer): Promise<ArchivedFile[]> {
  const archive = await openArchive(zip);
  const end = zip.length - LENGTH.endRecord - archive.comment.length;
  const isZip64 = end >= LENGTH.zip64Locator && zip.readUInt32LE(end - LENGTH.zip64Locator) === 0x07064b50;
  if (isZip64) throw new ThemeArchiveError('The archive is in the ZIP64 form, which a theme has no need of.');
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
  if (!isAsDeclared)
    throw new ThemeArchiveError('The archive has another directory than it declares, or bytes behind it.');
  return takeApart(zip.subarray(0, directory), headers);
}

function openArchive(zip: Buffer): Promise<ZipFile> {
  // Names stay bytes (yauzl would replace what is not UTF-8), and sizes are compared below, where the entry can be named.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
  const explanation = 'The file is not a ZIP archive, is cut short, or goes on after its end.';
  return new Promise((resolve, reject) => {
    fromBuffer(zip, options, (problem, archive) =>
      problem ? reject(new ThemeArchiveError(explanation)) : resolve(archive),
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
      const reason = message.includes('encryption') ? 'encrypted' : 'damaged or cut short';
      reject(new ThemeArchiveError(`Entry ${headers.length + 1} of the archive's directory is ${reason}.`));
    });
    archive.readEntry();
  });
}

function takeApart(body: Buffer, headers: Entry[]): ArchivedFile[] {
  let claimed = 0;
  let unclaimedAllowed = 0;
  const inOrder = headers.toSorted((one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader);
  const files = inOrder.map(header => {
    const path = readPath(header);
    const start = header.relativeOffsetOfLocalHeader;
    if (start < claimed) throw refused(path, 'overlaps another entry');
    if (start > claimed + unclaimedAllowed) throw refused(path, 'comes after bytes that belong to no entry');
    refuseSpecialFile(header, path);
    const packed = findPacked(body, header, path);
    claimed = packed.byteOffset - body.byteOffset + packed.length;
    unclaimedAllowed = header.generalPurposeBitFlag & 0x8 ? LENGTH.longestDataDescriptor : 0;
    return { path, header, packed };
  });
  if (body.length > claimed + unclaimedAllowed)
    throw new ThemeArchiveError('The archive has bytes that belong to no entry.');
  return files;
}

function refuseSpecialFile(header: Entry, path: string): void {
  if (header.isEncrypted()) throw refused(path, 'is encrypted');
  if (!Object.values(METHOD).includes(header.compressionMethod))
    throw refused(path, 'is packed by a method other than deflate');
  // Whatever system the archive says it was made on: that is only another claim. Windows leaves the mode 0.
  const kind = (header.externalFileAttributes >>> 16) & MODE.kind;
  const isOrdinary =
    kind === 0 || kind === MODE.file || (kind === MODE.folder && nameBytes(header).toString().endsWith('/'));
  if (!isOrdinary || header.externalFileAttributes & MODE.windowsLink)
    throw refused(path, 'is a link or another special file');
}

/** The header in front of the data repeats the directory's; where they disagree, two programs see two archives. */
function findPacked(body: Buffer, header: Entry, path: string): Buffer {
  const local = header.relativeOffsetOfLocalHeader;
  const name = local + LENGTH.localHeader;
  if (name > body.length || body.readUInt32LE(local) !== 0x04034b50)
    throw refused(path, 'is not where the directory of the archive says');
  const nameEnd = name + body.readUInt16LE(local + 26);
  const isSame =
    body.subarray(name, nameEnd).equals(nameBytes(header)) && body.readUInt16LE(local + 8) === header.compressionMethod;
  if (!isSame) throw refused(path, 'is described differently in its own header and in the directory of the archive');
  const data = nameEnd + body.readUInt16LE(local + 28);
  if (data + header.compressedSize > body.length)
    throw refused(path, 'is cut short, or runs into the directory of the archive');
  return body.subarray(data, data + header.compressedSize);
}

/** The types describe yauzl with decodeStrings on. */
const nameBytes = (header: Entry) => header.fileName as unknown as Buffer;

function readPath(header: Entry): string {
  const bytes = nameBytes(header);
  const written = bytes.toString();
  if (bytes.length > MAXIMUM_NAME)
    throw refused(`${written.slice(0, 60)}...`, `has a name of more than ${MAXIMUM_NAME} bytes`);
  if (!isUtf8(bytes)) throw refused(written, 'has a name that is not UTF-8');
  if (/[\p{Cc}\\]/u.test(written)) throw refused(written, 'has a backslash or a control character in its name');
  if (/^(\/|[A-Za-z]:)/.test(written)) throw refused(written, 'is an absolute path');
  // macOS writes an accent behind its letter, templates are typed with the two in one. bsdtar starts each path with "./".
  const steps = written.normalize('NFC').split('/');
  if (steps.includes('..')) throw refused(written, 'leads out of its folder');
  if (steps.slice(0, -1).includes('') || written === '') throw refused(written, 'has an empty name in its path');
  return steps.filter(step => step !== '.').join('/');
}

function refuseDuplicates(files: ArchivedFile[]): void {
  const seen = new Set<string>();
  for (const { path } of files) {
    // Capitals rather than small letters, since ß has two of them.
    const key = path.replace(/\/$/, '').normalize('NFKC').toUpperCase();
    if (seen.has(key)) throw refused(path, 'is in the archive twice, perhaps in other letters');
    seen.add(key);
  }
}

function placeFiles(files: ArchivedFile[]): ArchivedFile[] {
  const kept = files.filter(({ path }) => !RUBBISH.test(path));
  const wrapper = `${kept[0]?.path.split('/')[0]}/`;
  const start = kept.every(({ path }) => path.startsWith(wrapper)) ? wrapper.length : 0;
  return files.map(file =>
    RUBBISH.test(file.path) ? file : { ...file, place: placeOf(file.path, file.path.slice(start)) },
  );
}

function placeOf(fullPath: string, path: string): Place | undefined {
  if (/^assets\/.+\//.test(path)) throw refused(fullPath, 'is a folder inside assets, or in one; assets must be flat');
  for (const [kind, pattern] of PATHS) {
    const name = pattern.exec(path)?.[1];
    if (name) return { kind, name };
  }
}

/** Before a byte is unpacked, by what the headers claim. No claim is believed: unpacking holds each file to its own, byte by byte. */
function refuseExcess(files: ArchivedFile[]): void {
  let unpacked = 0;
  let packed = 0;
  for (const file of files) {
    const size = file.header.uncompressedSize;
    const kind = file.place?.kind ?? 'assets';
    if (size > MAXIMUM_FILE[kind]) throw refused(file.path, `is larger than ${MAXIMUM_FILE[kind] / 1024} kB`);
    if (smellsOfBomb(size, file.packed.length)) throw refused(file.path, 'unpacks to suspiciously much for its size');
    unpacked += size;
    packed += file.packed.length;
    if (unpacked > MAXIMUM_UNPACKED)
      throw refused(file.path, `takes the archive beyond ${MAXIMUM_UNPACKED / MEGABYTE} MB unpacked`);
  }
  if (smellsOfBomb(unpacked, packed))
    throw new ThemeArchiveError('The archive unpacks to suspiciously much for its size.');
}

const smellsOfBomb = (unpacked: number, packed: number) => unpacked > MEGABYTE && unpacked > packed * BOMB_RATIO;

async function unpack(file: ArchivedFile): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  let checksum = 0;
  for await (const chunk of file.header.compressionMethod === METHOD.stored ? [file.packed] : inflate(file)) {
    length += chunk.length;
    if (length > file.header.uncompressedSize) throw refused(file.path, 'unpacks to more than it declares');
    checksum = crc32(chunk, checksum);
    chunks.push(chunk);
  }
  const isSound = length === file.header.uncompressedSize && checksum === file.header.crc32;
  if (!isSound) throw refused(file.path, 'is damaged: its size or its checksum does not match');
  return Buffer.concat(chunks);
}

/** Not by yauzl's read stream: that leaves the engine open when it is abandoned, and says nothing of bytes after the data's end. */
async function* inflate(file: ArchivedFile): AsyncGenerator<Buffer> {
  // The engine sets a chunk aside at once, 1,000 times 64 kB for a theme of many small files.
  const engine = createInflateRaw({ chunkSize: Math.min(Math.max(file.header.uncompressedSize, 64), 64 * 1024) });
  engine.end(file.packed);
  try {
    yield* engine as AsyncIterable<Buffer>;
  } catch {
    throw refused(file.path, 'is damaged: it cannot be unpacked');
  }
  if (engine.bytesWritten !== file.packed.length) throw refused(file.path, 'has more data than what it unpacks to');
}

function readText(file: ArchivedFile, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw refused(file.path, 'is not UTF-8 text');
  return bytes.toString().replace(/^\uFEFF/, '');
}

function readTexts(file: ArchivedFile, text: string): unknown {
  let texts: unknown;
  try {
    texts = JSON.parse(text);
  } catch {
    throw refused(file.path, 'is not well-formed JSON');
  }
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts))
    throw refused(file.path, 'is not a JSON object of texts');
  let level: unknown[] = [texts];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAXIMUM_LOCALE_DEPTH)
      throw refused(file.path, `is nested more than ${MAXIMUM_LOCALE_DEPTH} levels deep`);
    level = level.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return texts;
}
