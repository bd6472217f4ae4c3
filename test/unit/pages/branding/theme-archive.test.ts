import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readThemeArchive } from '../../../../src/pages/branding/theme-archive.js';
import { ArchiveError } from '../../../../src/pages/branding/zip-archive.js';
import {
  hostileArchives,
  pageEntry,
  logoEntry,
  noise,
  themeZip,
  zipWithFrame,
  zipWithLogo,
  zipWithMany,
  zipWithName,
  megabyte,
} from '../../../support/hostile-archives.js';
import { fields, localPart, writeZip, writeZip64, type ZipEntry, zip64Sizes } from '../../../support/zip-writer.js';

describe('a theme archive', () => {
  const listNames = async (zip: Buffer) => {
    const { templates, locales, assets } = await readThemeArchive(zip);
    return [
      ...templates.keys(),
      ...[...locales.keys()].map(code => `locale ${code}`),
      ...[...assets.keys()].map(name => `asset ${name}`),
    ].sort();
  };
  const allEntries: ZipEntry[] = [
    pageEntry,
    { name: 'error-page.liquid', content: 'error' },
    { name: 'maintenance-page.liquid', content: 'maintenance' },
    { name: 'layouts/boilerplate.liquid', content: '{{ content_for_layout }}', isStored: true },
    { name: 'includes/logo.liquid', content: 'logo' },
    { name: 'includes/components/rows/row.liquid', content: 'row' },
    { name: 'locales/en.json', content: '{"states":{"ok":"All well"}}' },
    { name: 'locales/pt-BR.json', content: '{"states":{"ok":"Tudo bem"}}' },
    { name: 'assets/photo.png', content: noise },
    { name: 'assets/empty.css', content: '', isStored: true },
  ];
  const texts = [
    'error-page',
    'includes/components/rows/row',
    'includes/logo',
    'layouts/boilerplate',
    'locale en',
    'locale pt-BR',
  ];
  const names = ['asset empty.css', 'asset photo.png', ...texts, 'maintenance-page', 'status-page'];

  test('is read into templates, locales and assets by name', async () => {
    const { templates, locales, assets } = await readThemeArchive(writeZip(allEntries));
    expect(await listNames(writeZip(allEntries))).toEqual(names);
    expect(templates.get('includes/components/rows/row')).toBe('row');
    expect(templates.get('layouts/boilerplate')).toBe('{{ content_for_layout }}');
    expect(locales.get('pt-BR')).toEqual({ states: { ok: 'Tudo bem' } });
    expect(assets.get('photo.png')).toEqual(noise);
    expect(assets.get('empty.css')).toEqual(Buffer.alloc(0));
  });

  test('may have a single top folder, and the files that macOS adds', async () => {
    const wrapped = allEntries.map(entry => ({ ...entry, name: `my-theme/${entry.name}` }));
    const macOsFiles = ['__MACOSX/', '__MACOSX/my-theme/assets/._photo.png', '.DS_Store'].map(name => ({
      name,
      content: name.endsWith('/') ? '' : 'x',
    }));
    expect(await listNames(writeZip([{ name: 'my-theme/', mode: 0o040755 }, ...wrapped, ...macOsFiles]))).toEqual(
      names,
    );
  });

  test('may list its folders, and start each path with a dot, as bsdtar does', async () => {
    const folders = ['./', './my-theme/', './my-theme/assets/'].map(name => ({ name, mode: 0o040755, isStored: true }));
    expect(
      await listNames(
        writeZip([...folders, ...allEntries.map(entry => ({ ...entry, name: `./my-theme/${entry.name}` }))]),
      ),
    ).toEqual(names);
  });

  test('may contain other files, which are skipped', async () => {
    const others = [
      '.git/config',
      'assets/.DS_Store',
      'assets/Thumbs.db',
      'assets/.sass-cache/x/y',
      'includes/.a.liquid',
      'includes/a.html',
      'README.md',
    ];
    const odd = [
      'locales/messages_en.json',
      'locales/EN.json',
      'locales/en/us.json',
      'layouts/other.liquid',
      'other.liquid',
      'src/assets/a/b.png',
    ];
    expect(await listNames(themeZip(...[...others, ...odd].map(name => ({ name, content: '{' }))))).toEqual([
      'status-page',
    ]);
  });

  const descriptor = fields([4, 0x08074b50], [4, 0], [4, 0], [4, 0]);
  test.each<[description: string, zip: Buffer, asset: string]>([
    [
      'be streamed, with sizes after the data',
      themeZip({ ...logoEntry, descriptor }, { name: 'README', descriptor }),
      'logo.svg',
    ],
    ['have entries with ZIP64 sizes', zipWithLogo(zip64Sizes(6, deflateRawSync('<svg/>').length)), 'logo.svg'],
    ['have a comment, like archives of git', zipWithFrame({ comment: Buffer.from('78cfee4') }), 'logo.svg'],
    [
      'list its entries in another order',
      writeZip([pageEntry, { ...logoEntry, offset: 0 }], { before: localPart(logoEntry) }),
      'logo.svg',
    ],
    [
      'come from Windows, which leaves the file mode empty',
      zipWithLogo({ mode: 0, windowsAttributes: 0x20, flags: 0 }),
      'logo.svg',
    ],
    [
      'come from Windows, with the characters of DOS',
      themeZip({ name: Buffer.from('assets/gr\x94\xe1e.png', 'latin1'), flags: 0, host: 0 }),
      'größe.png',
    ],
    [
      'come from Unix, with the characters of Latin-1',
      themeZip({ name: Buffer.from('assets/größe.png', 'latin1'), flags: 0 }),
      'größe.png',
    ],
    ['have backslashes, like archives of PowerShell 5', zipWithName('assets\\logo.svg'), 'logo.svg'],
    ['be in ZIP64 format', writeZip64([pageEntry, logoEntry], 2), 'logo.svg'],
    ['come from macOS, which decomposes accented letters', zipWithName('assets/gro\u0308ße.png'), 'gr\u00f6ße.png'],
  ])('may %s', async (_description, zip, asset) => {
    expect(await listNames(zip)).toEqual([`asset ${asset}`, 'status-page']);
  });

  test('may have capitals in names that are not its own', async () => {
    const upper = ['Status-Page.LIQUID', 'Layouts/Boilerplate.Liquid', 'Includes/Row.LIQUID', 'locales/de.JSON'];
    const zip = writeZip([...upper, 'Assets/Logo.PNG'].map(name => ({ name, content: '{}' })));
    expect(await listNames(zip)).toEqual([
      'asset Logo.PNG',
      'includes/Row',
      'layouts/boilerplate',
      'locale de',
      'status-page',
    ]);
  });

  test('may start its texts with a byte order mark', async () => {
    const { templates, locales } = await readThemeArchive(
      writeZip([
        { ...pageEntry, content: '\uFEFFpage' },
        { name: 'locales/en.json', content: '\uFEFF{}' },
      ]),
    );
    expect([templates.get('status-page'), locales.get('en')]).toEqual(['page', {}]);
  });

  test('may be as large as the limits', async () => {
    const largest = zipWithMany(
      998,
      { content: noise },
      { name: 'includes/a.liquid', content: Buffer.alloc(megabyte, 'liquid') },
    );
    expect(await listNames(largest)).toHaveLength(1_000);
  });

  test('does not share memory with its assets', async () => {
    const zip = zipWithLogo({ isStored: true });
    const { assets } = await readThemeArchive(zip);
    zip.fill(0);
    expect(assets.get('logo.svg')?.toString()).toBe('<svg/>');
  });
});

describe('a theme archive is refused for', () => {
  test.each(hostileArchives)('%s', async (_description, build, message) => {
    const refusal: unknown = await readThemeArchive(build()).catch((thrown: unknown) => thrown);
    expect(refusal).toBeInstanceOf(ArchiveError);
    expect((refusal as Error).message).toMatch(message);
    expect((refusal as Error).message).toMatch(/^[^\p{C}\n]{1,300}\.$/u);
  });
});

test('a corrupted archive is read or refused with an ArchiveError', async () => {
  const zip = themeZip(
    logoEntry,
    { name: 'locales/en.json', content: '{"a":"b"}' },
    { name: 'includes/a.liquid', content: 'a', isStored: true },
  );
  const change = fc.record({ at: fc.nat(zip.length - 1), to: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 255)) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async changes => {
      const corrupted = Buffer.from(zip);
      for (const { at, to } of changes) corrupted[at] = to;
      const outcome: unknown = await readThemeArchive(corrupted).catch((thrown: unknown) => thrown);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ArchiveError);
    }),
    { numRuns: 500 },
  );
});
