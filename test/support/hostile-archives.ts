import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import {
  localPart,
  quotedOverlap,
  writeZip,
  writeZip64,
  type ZipEntry,
  type ZipFrame,
  zip64Sizes,
} from './zip-writer.js';

export const pageEntry: ZipEntry = { name: 'status-page.liquid', content: '<h1>{{ page.name }}</h1>' };
export const logoEntry: ZipEntry = { name: 'assets/logo.svg', content: '<svg/>' };
const junk = Buffer.from('stray bytes');
export const megabyte = 1024 * 1024;
const zeros = Buffer.alloc(megabyte);
export const noise = Buffer.concat(
  Array.from({ length: 640 }, (_, index) => createHash('sha256').update(String(index)).digest()),
);
const dense = Buffer.concat(Array.from({ length: 52 }, () => noise)).subarray(0, megabyte);

export const themeZip = (...entries: ZipEntry[]) => writeZip([pageEntry, ...entries]);
export const zipWithFrame = (frame: ZipFrame) => writeZip([pageEntry, logoEntry], frame);
export const zipWithLogo = (change: Partial<ZipEntry>) => themeZip({ ...logoEntry, ...change });
const halfHeader = (entry: ZipEntry) => localPart(entry).subarray(0, 15);
const zipAfter = (other: Buffer) => writeZip([pageEntry], { before: other }).subarray(other.length);
export const zipWithName = (name: string | Buffer) => themeZip({ name, content: 'x' });
export const zipWithMany = (count: number, entry: Partial<ZipEntry>, ...last: ZipEntry[]) =>
  themeZip(...Array.from({ length: count }, (_, index) => ({ ...entry, name: `assets/${index}` })), ...last);

type HostileArchive = [description: string, build: () => Buffer, message: RegExp];

const brokenFrames: HostileArchive[] = [
  ['an empty file', () => Buffer.alloc(0), /not a ZIP archive/],
  ['a file of another kind', () => Buffer.from('<html>'.repeat(100)), /not a ZIP archive/],
  ['an archive without its start', () => themeZip(logoEntry).subarray(10), /corrupt or truncated/],
  ['bytes after the end', () => Buffer.concat([themeZip(), junk]), /has data after its end/],
  [
    'bytes before the start, with adjusted offsets',
    () => zipWithFrame({ before: junk }),
    /"status-page.liquid" follows bytes/,
  ],
  ['bytes between two entries', () => zipWithLogo({ gap: junk }), /"assets\/logo.svg" follows bytes/],
  ['bytes in front of the directory', () => zipWithFrame({ beforeDirectory: junk }), /bytes that belong to no entry/],
  ['bytes behind the directory', () => zipWithFrame({ afterDirectory: junk }), /does not match its end record/],
  [
    'a second archive in the comment, with adjusted offsets',
    () => zipWithFrame({ comment: zipAfter(zipWithFrame({})) }),
    /follows bytes/,
  ],
  [
    'an end record in the comment',
    () => zipWithFrame({ comment: Buffer.from('PK\x05\x06'.padEnd(30, '\0'), 'latin1') }),
    /has data after its end/,
  ],
  [
    'a directory that starts beyond the end',
    () => zipWithFrame({ directoryOffset: 0xfffffff0 }),
    /corrupt or truncated/,
  ],
  ['a directory of another size', () => zipWithFrame({ directorySize: 46 }), /does not match its end record/],
  [
    'a directory with more entries than declared',
    () => zipWithFrame({ entryCount: 1 }),
    /does not match its end record/,
  ],
  [
    'a directory with fewer entries than declared',
    () => zipWithFrame({ entryCount: 3 }),
    /Entry 3 of the archive's directory is corrupt/,
  ],
  ['two different entry counts', () => zipWithFrame({ entriesOnDisk: 1 }), /does not match its end record/],
  ['65,000 declared entries', () => zipWithFrame({ entryCount: 65_000 }), /more than 1000 entries/],
  ['70,000 declared entries', () => writeZip64([pageEntry, logoEntry], 70_000), /more than 1000 entries/],
  ['fewer entries than ZIP64 declares', () => writeZip64([pageEntry, logoEntry], 3), /Entry 3 of the archive's/],
  ['bytes between the records of ZIP64', () => writeZip64([pageEntry, logoEntry], 2, junk), /does not match its end/],
  ['1,001 entries', () => zipWithMany(1_000, { content: 'x' }), /more than 1000 entries/],
];

const forgedEntries: HostileArchive[] = [
  ['an encrypted entry', () => zipWithLogo({ flags: 1 }), /"assets\/logo.svg" is encrypted/],
  ['a strongly encrypted entry', () => zipWithLogo({ flags: 0x41 }), /Entry 2 of the archive's directory is encrypted/],
  ['a wrong checksum', () => zipWithLogo({ checksum: 7 }), /"assets\/logo.svg" is corrupt: its size or its checksum/],
  [
    'a wrong checksum of a file that themes ignore',
    () => themeZip({ name: 'notes.txt', content: 'x', checksum: 7 }),
    /"notes.txt" is corrupt/,
  ],
  [
    'data that is not deflated',
    () => zipWithLogo({ packed: Buffer.from([0xff, 0xff, 0xff]) }),
    /cannot be decompressed/,
  ],
  [
    'truncated deflate data',
    () => zipWithLogo({ packed: deflateRawSync('<svg/>').subarray(0, -2) }),
    /cannot be decompressed/,
  ],
  [
    'bytes after deflated data',
    () => zipWithLogo({ packed: Buffer.concat([deflateRawSync('<svg/>'), junk]) }),
    /data after the end of its compressed content/,
  ],
  ['a declared size that is too small', () => zipWithLogo({ unpackedSize: 5 }), /unpacks to more than it declares/],
  ['a declared size that is too large', () => zipWithLogo({ unpackedSize: 7 }), /corrupt: its size/],
  [
    'a bomb declared as small',
    () => zipWithLogo({ content: Buffer.alloc(10 * megabyte), unpackedSize: 10 }),
    /unpacks to more than it declares/,
  ],
  ['an unusual compression method', () => zipWithLogo({ method: 12 }), /compression method other than deflate/],
  [
    'another name in the local header',
    () => zipWithLogo({ localName: 'assets/evil.svg' }),
    /"assets\/logo.svg" has a header that differs/,
  ],
  ['another method in the local header', () => zipWithLogo({ localMethod: 0 }), /has a header that differs/],
  [
    'a local header with another signature',
    () => zipWithLogo({ localSignature: 0x04034b51 }),
    /is not where the directory/,
  ],
  [
    'half a local header',
    () =>
      writeZip([pageEntry, { ...logoEntry, offset: localPart(pageEntry).length }], {
        beforeDirectory: halfHeader(logoEntry),
      }),
    /is not where the directory/,
  ],
  ['an entry that overlaps the directory', () => zipWithLogo({ packedSize: 20 }), /overlaps the directory/],
  ['an entry of 16 exabytes', () => zipWithLogo(zip64Sizes(2 ** 62, 2 ** 62)), /overlaps the directory/],
  ['a symbolic link', () => zipWithLogo({ mode: 0o120777 }), /is a link/],
  ['a folder mode on a file', () => zipWithLogo({ mode: 0o040755 }), /special file/],
  ['a Windows link', () => zipWithLogo({ mode: 0, windowsAttributes: 0x400 }), /is a link/],
  [
    'two entries at the same offset',
    () => themeZip(logoEntry, { ...logoEntry, name: 'assets/logo.svh', offset: 0 }),
    /overlaps another entry/,
  ],
  [
    'files that quote each other',
    () => writeZip(quotedOverlap(['status-page.liquid', 'assets/a', 'assets/b', 'assets/c'], zeros)),
    /overlaps another entry/,
  ],
];

const badNames: HostileArchive[] = [
  ['an absolute path', () => zipWithName('/etc/passwd'), /"\/etc\/passwd" is an absolute path/],
  ['a path with a drive', () => zipWithName('C:evil.txt'), /is an absolute path/],
  ['a path to a parent folder', () => zipWithName('includes/../../evil.liquid'), /leads out of its folder/],
  ['a path to a parent folder with a backslash', () => zipWithName('..\\evil.txt'), /leads out of its folder/],
  ['a path with a drive and a backslash', () => zipWithName('C:\\evil.txt'), /is an absolute path/],
  ['a path to a server', () => zipWithName('\\\\server\\x'), /is an absolute path/],
  ['a path with a slash and one with a backslash', () => themeZip(logoEntry, { name: 'assets\\logo.svg' }), /twice/],
  ['a control character of DOS', () => themeZip({ name: Buffer.from('a\n\x94', 'latin1'), flags: 0 }), /control/],
  ['a NUL', () => zipWithName('assets/logo.svg\0.png'), /"assets\/logo.svg\?.png" has a control character/],
  ['a line break', () => zipWithName('assets/a\nb'), /control character/],
  ['an empty name', () => zipWithName(''), /empty name/],
  ['an empty name in a path', () => zipWithName('includes//a.liquid'), /empty name/],
  ['bytes that are not UTF-8', () => zipWithName(Buffer.from('assets/gr\xf6sse', 'latin1')), /not UTF-8/],
  ['an oversized name', () => zipWithName(`e${'\u0323\u0301'.repeat(16_000)}`), /more than 512 bytes/],
  ['the same name twice', () => themeZip(logoEntry, logoEntry), /"assets\/logo.svg" is in the archive twice/],
  ['a name in lower and upper case', () => themeZip(logoEntry, { ...logoEntry, name: 'assets/LOGO.svg' }), /twice/],
  ['ß and SS', () => themeZip({ name: 'assets/straße' }, { name: 'assets/STRASSE' }), /twice/],
  [
    'a composed and a decomposed accent',
    () => themeZip({ name: 'assets/\u00e9' }, { name: 'assets/e\u0301' }),
    /twice/,
  ],
  ['a letter in two widths', () => themeZip({ name: 'assets/a' }, { name: 'assets/\uff41' }), /twice/],
  ['a file and a folder of one name', () => themeZip({ name: 'notes' }, { name: 'notes/' }), /twice/],
];

const oversized: HostileArchive[] = [
  [
    'a bomb',
    () => zipWithLogo({ content: Buffer.alloc(40 * megabyte) }),
    /"assets\/logo.svg" has a suspicious compression ratio/,
  ],
  ['many small bombs', () => zipWithMany(40, { content: zeros }), /archive has a suspicious compression ratio/],
  ['more than 50 MB', () => zipWithMany(51, { content: dense }), /makes the archive larger than 50 MB/],
  [
    'many locales',
    () =>
      themeZip(
        ...['de', 'es', 'fr', 'it', 'nl', 'pl', 'pt', 'ro', 'sv'].map(code => ({
          name: `locales/${code}.json`,
          content: zeros.subarray(0, megabyte / 4),
        })),
      ),
    /"locales\/sv.json" makes the locales larger than 2 MB together/,
  ],
  [
    'more than 50 MB of files that themes ignore',
    () => themeZip({ name: 'film', content: Buffer.alloc(50 * megabyte), isStored: true }),
    /larger than 50 MB/,
  ],
  [
    'a wrong checksum after 48 MB',
    () => zipWithMany(48, { content: dense }, { name: 'z', checksum: 7 }),
    /"z" is corrupt/,
  ],
  [
    'a wrong checksum after 998 files',
    () => zipWithMany(998, { content: noise }, { name: 'z', checksum: 7 }),
    /"z" is corrupt/,
  ],
  [
    'a template beyond 1 MB',
    () => themeZip({ name: 'includes/a.liquid', content: Buffer.concat([dense, junk]) }),
    /"includes\/a.liquid" is larger than 1024 kB/,
  ],
  [
    'a locale beyond 256 kB',
    () => themeZip({ name: 'locales/en.json', content: dense }),
    /"locales\/en.json" is larger than 256 kB/,
  ],
  [
    'a locale of brackets',
    () => themeZip({ name: 'locales/en.json', content: `{"a":${'['.repeat(99_000)}${']'.repeat(99_000)}}` }),
    /more than 20 levels/,
  ],
];

const badThemes: HostileArchive[] = [
  ['no page', () => writeZip([logoEntry]), /no "status-page.liquid"/],
  ['no entries', () => writeZip([]), /no "status-page.liquid"/],
  [
    'a page two folders down',
    () => writeZip([{ ...pageEntry, name: 'a/b/status-page.liquid' }]),
    /no "status-page.liquid"/,
  ],
  [
    'a page in a folder beside another one',
    () => writeZip([{ ...pageEntry, name: 'a/status-page.liquid' }, { name: 'b/x' }]),
    /no "status-page.liquid"/,
  ],
  [
    'a folder in assets',
    () => themeZip({ name: 'assets/img/logo.svg' }),
    /"assets\/img\/logo.svg" is in a subfolder of assets/,
  ],
  [
    'an empty folder in assets',
    () => themeZip({ name: 'assets/img/', mode: 0o040755 }),
    /"assets\/img\/" is in a subfolder of assets/,
  ],
  [
    'a template that is not UTF-8',
    () => themeZip({ name: 'error-page.liquid', content: Buffer.from([0xc3]) }),
    /"error-page.liquid" is not UTF-8/,
  ],
  [
    'a locale that is not JSON',
    () => themeZip({ name: 'locales/en.json', content: '{"a":' }),
    /"locales\/en.json" is not well-formed JSON/,
  ],
  ['a locale that is null', () => themeZip({ name: 'locales/en.json', content: 'null' }), /not a JSON object/],
  ['a locale that is a list', () => themeZip({ name: 'locales/en.json', content: '[]' }), /not a JSON object/],
];

/** Archives that must be refused, with the expected message. */
export const hostileArchives: HostileArchive[] = [
  ...brokenFrames,
  ...forgedEntries,
  ...badNames,
  ...oversized,
  ...badThemes,
];
