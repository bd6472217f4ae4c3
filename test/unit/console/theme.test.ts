import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { defaultColours } from '../../../src/pages/branding/colour.js';
import { createPalette } from '../../../src/status-page/html/style/palette.js';

const blocks = [...readFileSync('console/src/ui/theme.css', 'utf8').matchAll(/:root \{(.*?)\}/gs)].map(([, block]) =>
  Object.fromEntries([...block!.matchAll(/--([\w-]+): (#\w+);/g)].map(([, name, value]) => [name, value])),
);
const ofTheConsole = ['hint', 'accent-text', 'error'];

test.each([
  ['light', 0],
  ['dark', 1],
] as const)('the console has the colours of the public page in the %s scheme', (scheme, index) => {
  const palette = createPalette(
    { brand: defaultColours as never, images: [] as never, banner: { kind: 'operational' } },
    scheme,
  );
  const shared = Object.entries({ ...blocks[0], ...blocks[index] }).filter(([name]) => !ofTheConsole.includes(name!));
  expect(shared.length).toBeGreaterThanOrEqual(12);
  expect(Object.fromEntries(shared)).toEqual(Object.fromEntries(shared.map(([name]) => [name, palette[name!]])));
});
