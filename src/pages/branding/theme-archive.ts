import { isUtf8 } from 'node:buffer';
import { type ArchivedFile, entryError, listFiles, ArchiveError, unpack } from './zip-archive.js';

/** The files of a theme, by the names that templates use. */
export interface ThemeFiles {
  /** By path without extension: `status-page`, `layouts/boilerplate`, `includes/components/list`. */
  templates: Map<string, string>;
  /** By language code as in the file name, `en` or `pt-BR`. Always an object; its leaves are not validated. */
  locales: Map<string, unknown>;
  assets: Map<string, Buffer>;
}

const MEGABYTE = 1024 * 1024;
const MAX_UNPACKED = 50 * MEGABYTE;
/** Locales are smaller: a megabyte of brackets blocks JSON.parse, and with it every visitor, for 100 ms. */
const MAX_FILE = { templates: MEGABYTE, locales: MEGABYTE / 4, assets: Number.POSITIVE_INFINITY };
const MAX_LOCALE_DEPTH = 20;
/** Of all locales: what is parsed from them takes up to 25 times as much memory. */
const MAX_LOCALES = 2 * MEGABYTE;
/** Text and flat images compress 3 to 30 times. Below a megabyte any ratio is harmless. */
const BOMB_RATIO = 100;

/** File names are case-insensitive on Windows. */
const DESTINATIONS = [
  ['templates', /^((?:status|error|maintenance)-page|layouts\/boilerplate|includes\/.+)\.liquid$/i],
  ['locales', /^locales\/([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\.(?:json|JSON)$/],
  ['assets', /^assets\/(.+)$/i],
] as const;
/** Files that operating systems create, and the empty path that is bsdtar's "./". */
const IGNORED = /^$|(^|\/)(\.[^/]*|__MACOSX|(eh)?thumbs\.db|desktop\.ini)(\/|$)/i;

type Destination = { kind: keyof ThemeFiles; name: string };
type ThemeFile = ArchivedFile & { destination?: Destination };

/** Validates every entry, including those that a theme does not use. */
export async function readThemeArchive(zip: Buffer): Promise<ThemeFiles> {
  const files = assignDestinations(await listFiles(zip));
  refuseExcess(files);
  const theme: ThemeFiles = { templates: new Map(), locales: new Map(), assets: new Map() };
  for (const file of files) {
    const bytes = await unpack(file);
    if (file.destination?.kind === 'templates') theme.templates.set(file.destination.name, readText(file, bytes));
    if (file.destination?.kind === 'locales')
      theme.locales.set(file.destination.name, readLocale(file, readText(file, bytes)));
    if (file.destination?.kind === 'assets') theme.assets.set(file.destination.name, bytes);
  }
  if (!theme.templates.has('status-page')) throw new ArchiveError('The archive has no "status-page.liquid".');
  return theme;
}

function assignDestinations(files: ArchivedFile[]): ThemeFile[] {
  const used = files.filter(({ path }) => !IGNORED.test(path));
  const wrapper = `${used[0]?.path.split('/')[0]}/`;
  const start = used.every(({ path }) => path.startsWith(wrapper)) ? wrapper.length : 0;
  return files.map(file =>
    IGNORED.test(file.path) ? file : { ...file, destination: findDestination(file.path, file.path.slice(start)) },
  );
}

function findDestination(fullPath: string, path: string): Destination | undefined {
  if (/^assets\/.+\//i.test(path)) throw entryError(fullPath, 'is in a subfolder of assets; assets must be flat');
  for (const [kind, pattern] of DESTINATIONS) {
    const name = pattern.exec(path)?.[1];
    if (name) return { kind, name: kind === 'templates' ? lowerKnownNames(name) : name };
  }
}

/** The names of partials below `includes` are those that templates use. */
const lowerKnownNames = (name: string): string =>
  name.replace(/^(?:includes\/|[^/]*$|layouts\/.*$)/i, known => known.toLowerCase());

/** Checks the sizes that the headers declare, before unpacking. `unpack` enforces them while it reads. */
function refuseExcess(files: ThemeFile[]): void {
  let unpacked = 0;
  let compressed = 0;
  let locales = 0;
  for (const file of files) {
    const size = file.header.uncompressedSize;
    const kind = file.destination?.kind ?? 'assets';
    if (size > MAX_FILE[kind]) throw entryError(file.path, `is larger than ${MAX_FILE[kind] / 1024} kB`);
    if (isZipBomb(size, file.compressed.length)) throw entryError(file.path, 'has a suspicious compression ratio');
    unpacked += size;
    if (kind === 'locales') locales += size;
    if (locales > MAX_LOCALES)
      throw entryError(file.path, `makes the locales larger than ${MAX_LOCALES / MEGABYTE} MB together`);
    compressed += file.compressed.length;
    if (unpacked > MAX_UNPACKED)
      throw entryError(file.path, `makes the archive larger than ${MAX_UNPACKED / MEGABYTE} MB unpacked`);
  }
  if (isZipBomb(unpacked, compressed)) throw new ArchiveError('The archive has a suspicious compression ratio.');
}

const isZipBomb = (unpacked: number, compressed: number) => unpacked > MEGABYTE && unpacked > compressed * BOMB_RATIO;

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
    if (depth > MAX_LOCALE_DEPTH) throw entryError(file.path, `is nested more than ${MAX_LOCALE_DEPTH} levels deep`);
    level = level.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return texts;
}
