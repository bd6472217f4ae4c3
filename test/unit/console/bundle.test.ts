import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const folder = 'dist/console';
const brotliSize = (path: string) => statSync(join(folder, `${path}.br`)).size;
const assets = readdirSync(join(folder, 'assets')).filter(name => /\.(js|css)$/.test(name));

test('the first load has at most 92 kB', () => {
  const document = readFileSync(join(folder, 'index.html'), 'utf8');
  const loaded = [...document.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(loaded.length).toBeGreaterThanOrEqual(2);
  const size = ['index.html', ...loaded].reduce((sum, path) => sum + brotliSize(path), 0);
  expect(size).toBeLessThanOrEqual(92_000);
});

test('all screens together have at most 210 kB', () => {
  const size = assets.reduce((sum, name) => sum + brotliSize(`assets/${name}`), 0);
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThanOrEqual(210_000);
});
