import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

const read = (path: string) => readFileSync(path, 'utf8');
const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => name);

test('docs/architecture.md names every folder of src', () => {
  const text = read('docs/architecture.md');
  expect(folders('src').filter(name => !text.includes(`${name}/`))).toEqual([]);
});

test('the index of the measurements links every page beside it', () => {
  const index = read('docs/performance/README.md');
  const pages = readdirSync('docs/performance').filter(name => name !== 'README.md');
  expect(pages.filter(name => !index.includes(`(${name})`))).toEqual([]);
});

test('the changelog has no version of the future', () => {
  const dates = [...read('CHANGELOG.md').matchAll(/^## \[\d[^\]]*\] - (\d{4}-\d{2}-\d{2}|Unreleased)$/gm)].map(
    ([, date]) => date!,
  );
  expect(dates.length).toBeGreaterThan(0);
  const today = new Date().toISOString().slice(0, 10);
  expect(dates.filter(date => date !== 'Unreleased' && date > today)).toEqual([]);
});

test('every file that a README in src names exists', () => {
  const list = (root: string) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map(path => `/${root}/${path}`);
  const files = [...list('src'), ...list('test')].filter(path => !path.includes('node_modules'));
  const readmes = files.filter(path => path.startsWith('/src/') && path.endsWith('/README.md'));
  const missing = readmes.flatMap(readme => {
    const names = [...read(readme.slice(1)).matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name]) => name!);
    return names.filter(name => !files.some(path => path.endsWith(`/${name}`))).map(name => `${readme} names ${name}`);
  });
  expect(readmes.length).toBeGreaterThan(1);
  expect(missing).toEqual([]);
});

test('docs/README.md links every page of docs', () => {
  const text = read('docs/README.md');
  const pages = readdirSync('docs').filter(name => name.endsWith('.md') && name !== 'README.md');
  expect(pages.filter(name => !text.includes(`(${name})`))).toEqual([]);
});

const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'].concat(
  ['docs', 'examples', 'src', 'test', 'bench'].flatMap(root =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.md') && !path.includes('node_modules'))
      .map(path => join(root, path)),
  ),
);

/** The anchors that GitHub gives to headings. */
const anchorsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(documents)('%s has no link that leads nowhere', path => {
  const withoutCode = read(path)
    .replace(/^(```[\s\S]*?^```|(?: {4}|\t).*)$/gm, '')
    .replace(/`[^`\n]*`/g, '');
  const links = [...withoutCode.matchAll(/\]\(([^)\s]+)\)|\b(?:src|href)="([^"]+)"/g)].map(
    ([, one, other]) => one ?? other!,
  );
  const broken = links.filter(link => {
    if (/^(https?|mailto):/.test(link)) return false;
    const [file, anchor] = link.split('#');
    const target = file ? join(dirname(path), file) : path;
    return !existsSync(target) || (anchor && target.endsWith('.md') && !anchorsOf(target).includes(anchor));
  });
  expect(broken).toEqual([]);
});

/** Tables and code are as wide as they are, and what is generated is as it comes. */
const reflowed = documents.filter(path => !/^(CHANGELOG|docs\/(api|performance|configuration))/.test(path));

test.each(reflowed)('no line of text of %s is longer than 120 characters', path => {
  const lines = read(path)
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .filter(line => line.length > 120 && !/^(\||#| {4}|\t|<|\[|`[^`]*`$)/.test(line));
  expect(lines).toEqual([]);
});
