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

export const page: ZipEntry = { name: 'status-page.liquid', content: '<h1>{{ page.name }}</h1>' };
export const logo: ZipEntry = { name: 'assets/logo.svg', content: '<svg/>' };
const junk = Buffer.from('bytes of nobody');
export const megabyte = 1024 * 1024;
const zeros = Buffer.alloc(megabyte);
export const noise = Buffer.concat(
  Array.from({ length: 640 }, (_, index) => createHash('sha256').update(String(index)).digest()),
);
const dense = Buffer.concat(Array.from({ length: 52 }, () => noise)).subarray(0, megabyte);

export const theme = (...entries: ZipEntry[]) => writeZip([page, ...entries]);
export const framed = (frame: ZipFrame) => writeZip([page, logo], frame);
export const changed = (change: Partial<ZipEntry>) => theme({ ...logo, ...change });
const half = (entry: ZipEntry) => localPart(entry).subarray(0, 15);
const behind = (other: Buffer) => writeZip([page], { before: other }).subarray(other.length);
export const named = (name: string | Buffer) => theme({ name, content: 'x' });
export const many = (count: number, entry: Partial<ZipEntry>, ...last: ZipEntry[]) =>
  theme(...Array.from({ length: count }, (_, index) => ({ ...entry, name: `assets/${index}` })), ...last);

type Hostile = [description: string, build: () => Buffer, message: RegExp];

const brokenFrames: Hostile[] = [
  ['an empty file', () => Buffer.alloc(0), /not a ZIP archive/],
  ['a file of another kind', () => Buffer.from('<html>'.repeat(100)), /not a ZIP archive/],
  ['an archive that lost its start', () => theme(logo).subarray(10), /damaged or cut short/],
  ['bytes after the end', () => Buffer.concat([theme(), junk]), /goes on after its end/],
  [
    'bytes before the start that the offsets know of',
    () => framed({ before: junk }),
    /"status-page.liquid" comes after bytes/,
  ],
  ['bytes between two entries', () => changed({ gap: junk }), /"assets\/logo.svg" comes after bytes/],
  ['bytes in front of the directory', () => framed({ beforeDirectory: junk }), /bytes that belong to no entry/],
  ['bytes behind the directory', () => framed({ afterDirectory: junk }), /another directory than it declares/],
  [
    'a second archive in the comment that knows where it is',
    () => framed({ comment: behind(framed({})) }),
    /comes after bytes/,
  ],
  [
    'an end record in the comment',
    () => framed({ comment: Buffer.from('PK\x05\x06'.padEnd(30, '\0'), 'latin1') }),
    /goes on after its end/,
  ],
  ['a directory that starts beyond the end', () => framed({ directoryOffset: 0xfffffff0 }), /damaged or cut short/],
  ['a directory of another size', () => framed({ directorySize: 46 }), /another directory than it declares/],
  [
    'a directory with more entries than are declared',
    () => framed({ entryCount: 1 }),
    /another directory than it declares/,
  ],
  [
    'a directory with fewer entries than are declared',
    () => framed({ entryCount: 3 }),
    /Entry 3 of the archive's directory is damaged/,
  ],
  ['two counts of entries', () => framed({ entriesOnDisk: 1 }), /another directory than it declares/],
  ['65,000 declared entries', () => framed({ entryCount: 65_000 }), /more than 1000 entries/],
  ['70,000 declared entries', () => writeZip64([page, logo], 70_000), /ZIP64/],
  ['an archive in the ZIP64 form', () => writeZip64([page, logo], 2), /ZIP64/],
  ['1,001 entries', () => many(1_000, { content: 'x' }), /more than 1000 entries/],
];

const lyingEntries: Hostile[] = [
  ['an encrypted entry', () => changed({ flags: 1 }), /"assets\/logo.svg" is encrypted/],
  ['a strongly encrypted entry', () => changed({ flags: 0x41 }), /Entry 2 of the archive's directory is encrypted/],
  ['a wrong checksum', () => changed({ checksum: 7 }), /"assets\/logo.svg" is damaged: its size or its checksum/],
  [
    'a wrong checksum of a file that themes ignore',
    () => theme({ name: 'notes.txt', content: 'x', checksum: 7 }),
    /"notes.txt" is damaged/,
  ],
  ['data that are not deflated', () => changed({ packed: Buffer.from([0xff, 0xff, 0xff]) }), /cannot be unpacked/],
  [
    'deflated data that break off',
    () => changed({ packed: deflateRawSync('<svg/>').subarray(0, -2) }),
    /cannot be unpacked/,
  ],
  [
    'bytes after deflated data',
    () => changed({ packed: Buffer.concat([deflateRawSync('<svg/>'), junk]) }),
    /more data than what it unpacks to/,
  ],
  ['less declared than there is', () => changed({ unpackedSize: 5 }), /unpacks to more than it declares/],
  ['more declared than there is', () => changed({ unpackedSize: 7 }), /damaged: its size/],
  [
    'a bomb declared as small',
    () => changed({ content: Buffer.alloc(10 * megabyte), unpackedSize: 10 }),
    /unpacks to more than it declares/,
  ],
  ['an unusual method', () => changed({ method: 12 }), /method other than deflate/],
  [
    'a name that its own header has otherwise',
    () => changed({ localName: 'assets/evil.svg' }),
    /"assets\/logo.svg" is described differently/,
  ],
  ['a method that its own header has otherwise', () => changed({ localMethod: 0 }), /described differently/],
  ['a header with another signature', () => changed({ localSignature: 0x04034b51 }), /is not where the directory/],
  [
    'half a header',
    () => writeZip([page, { ...logo, offset: localPart(page).length }], { beforeDirectory: half(logo) }),
    /is not where the directory/,
  ],
  ['an entry that runs into the directory', () => changed({ packedSize: 20 }), /runs into the directory/],
  ['an entry of 16 exabytes', () => changed(zip64Sizes(2 ** 62, 2 ** 62)), /runs into the directory/],
  ['a symbolic link', () => changed({ mode: 0o120777 }), /is a link/],
  ['a folder mode on a file', () => changed({ mode: 0o040755 }), /special file/],
  ['a link of Windows', () => changed({ mode: 0, windowsAttributes: 0x400 }), /is a link/],
  [
    'two entries at one place',
    () => theme(logo, { ...logo, name: 'assets/logo.svh', offset: 0 }),
    /overlaps another entry/,
  ],
  [
    'files that quote each other',
    () => writeZip(quotedOverlap(['status-page.liquid', 'assets/a', 'assets/b', 'assets/c'], zeros)),
    /overlaps another entry/,
  ],
];

const badNames: Hostile[] = [
  ['an absolute path', () => named('/etc/passwd'), /"\/etc\/passwd" is an absolute path/],
  ['a path with a drive', () => named('C:evil.txt'), /is an absolute path/],
  ['a path that climbs', () => named('includes/../../evil.liquid'), /leads out of its folder/],
  ['a backslash', () => named('..\\evil.txt'), /backslash/],
  ['a NUL', () => named('assets/logo.svg\0.png'), /"assets\/logo.svg\?.png" has a backslash or a control character/],
  ['a line break', () => named('assets/a\nb'), /control character/],
  ['an empty name', () => named(''), /empty name/],
  ['an empty name in a path', () => named('includes//a.liquid'), /empty name/],
  ['bytes that are not UTF-8', () => named(Buffer.from('assets/gr\xf6sse', 'latin1')), /not UTF-8/],
  ['an endless name', () => named(`e${'\u0323\u0301'.repeat(16_000)}`), /more than 512 bytes/],
  ['the same name twice', () => theme(logo, logo), /"assets\/logo.svg" is in the archive twice/],
  ['a name in small and in capital letters', () => theme(logo, { ...logo, name: 'assets/LOGO.svg' }), /twice/],
  ['ß and SS', () => theme({ name: 'assets/straße' }, { name: 'assets/STRASSE' }), /twice/],
  [
    'an accent within its letter and behind it',
    () => theme({ name: 'assets/\u00e9' }, { name: 'assets/e\u0301' }),
    /twice/,
  ],
  ['a letter in two widths', () => theme({ name: 'assets/a' }, { name: 'assets/\uff41' }), /twice/],
  ['a file and a folder of one name', () => theme({ name: 'notes' }, { name: 'notes/' }), /twice/],
];

const tooMuch: Hostile[] = [
  [
    'a bomb',
    () => changed({ content: Buffer.alloc(40 * megabyte) }),
    /"assets\/logo.svg" unpacks to suspiciously much/,
  ],
  ['many small bombs', () => many(40, { content: zeros }), /archive unpacks to suspiciously much/],
  ['more than 50 MB', () => many(51, { content: dense }), /takes the archive beyond 50 MB/],
  [
    'more than 50 MB of files that themes ignore',
    () => theme({ name: 'film', content: Buffer.alloc(50 * megabyte), isStored: true }),
    /beyond 50 MB/,
  ],
  ['a wrong checksum behind 48 MB', () => many(48, { content: dense }, { name: 'z', checksum: 7 }), /"z" is damaged/],
  [
    'a wrong checksum behind 998 files',
    () => many(998, { content: noise }, { name: 'z', checksum: 7 }),
    /"z" is damaged/,
  ],
  [
    'a template beyond 1 MB',
    () => theme({ name: 'includes/a.liquid', content: Buffer.concat([dense, junk]) }),
    /"includes\/a.liquid" is larger than 1024 kB/,
  ],
  [
    'a locale beyond 256 kB',
    () => theme({ name: 'locales/en.json', content: dense }),
    /"locales\/en.json" is larger than 256 kB/,
  ],
  [
    'a locale of brackets',
    () => theme({ name: 'locales/en.json', content: `{"a":${'['.repeat(99_000)}${']'.repeat(99_000)}}` }),
    /more than 20 levels/,
  ],
];

const badThemes: Hostile[] = [
  ['no page', () => writeZip([logo]), /no "status-page.liquid"/],
  ['no entries', () => writeZip([]), /no "status-page.liquid"/],
  ['a page two folders down', () => writeZip([{ ...page, name: 'a/b/status-page.liquid' }]), /no "status-page.liquid"/],
  [
    'a page in a folder beside another one',
    () => writeZip([{ ...page, name: 'a/status-page.liquid' }, { name: 'b/x' }]),
    /no "status-page.liquid"/,
  ],
  [
    'a folder in assets',
    () => theme({ name: 'assets/img/logo.svg' }),
    /"assets\/img\/logo.svg" is a folder inside assets/,
  ],
  [
    'an empty folder in assets',
    () => theme({ name: 'assets/img/', mode: 0o040755 }),
    /"assets\/img\/" is a folder inside assets/,
  ],
  [
    'a template that is not UTF-8',
    () => theme({ name: 'error-page.liquid', content: Buffer.from([0xc3]) }),
    /"error-page.liquid" is not UTF-8/,
  ],
  [
    'a locale that is not JSON',
    () => theme({ name: 'locales/en.json', content: '{"a":' }),
    /"locales\/en.json" is not well-formed JSON/,
  ],
  ['a locale that is null', () => theme({ name: 'locales/en.json', content: 'null' }), /not a JSON object/],
  ['a locale that is a list', () => theme({ name: 'locales/en.json', content: '[]' }), /not a JSON object/],
];

/** Archives that are to be refused, and what is said of each. */
export const hostileArchives: Hostile[] = [...brokenFrames, ...lyingEntries, ...badNames, ...tooMuch, ...badThemes];
