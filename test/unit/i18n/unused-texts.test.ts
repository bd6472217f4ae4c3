import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { catalogue as en } from '../../../src/i18n/languages/en.js';

const isCode = (path: string) =>
  path.endsWith('.ts') && (!path.startsWith('i18n/') || /^i18n\/(translator|distance)\.ts$/.test(path));
const code = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(isCode)
  .map(path => readFileSync(join('src', path), 'utf8'))
  .join('\n');

/** Patterns of computed keys: `state.${state}` uses every key of its group. */
const patterns = [...code.matchAll(/`([a-z]+\.[^`\s/]*\$\{[^`]*)`/gi)].map(
  ([, template]) => new RegExp(`^${template!.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[^.]+')}$`),
);

test('every text is used by the code', () => {
  const unused = Object.keys(en).filter(
    key => !code.includes(`'${key}'`) && !patterns.some(pattern => pattern.test(key)),
  );
  expect(unused).toEqual([]);
});
