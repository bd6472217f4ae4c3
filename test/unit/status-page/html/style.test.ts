import { expect, test } from '@jest/globals';
import { layoutStyle } from '../../../../src/status-page/html/style/layout.js';
import { sectionStyle } from '../../../../src/status-page/html/style/sections.js';
import { formStyle } from '../../../../src/status-page/subscribe/style-forms.js';

const styles = layoutStyle + sectionStyle + formStyle;

test('texts have five sizes: 14, 16, 18, 24 and 32 pixels', () => {
  const sizes = [...styles.matchAll(/font(?:-size)?: ?([^;}]*)/g)].flatMap(
    ([, value]) => value!.match(/[\d.]+rem/g) ?? [],
  );
  const scale = ['.875rem', '1rem', '1.125rem', '1.5rem', '2rem'];
  // The first argument of `clamp` and the last are sizes; those between are a slope.
  expect([...new Set(sizes)].filter(size => !scale.includes(size) && !/^1\.[12]rem$/.test(size))).toEqual([]);
});

test('margins, paddings and gaps are multiples of 4 pixels', () => {
  const declarations = [...styles.matchAll(/(?:margin|padding|gap)[a-z-]*: ?([^;}]*)/g)].map(([text]) => text);
  const isOffGrid = (size: string) => (Number.parseFloat(size) * 16) % 4 !== 0;
  expect(declarations.filter(text => (text.match(/[\d.]+rem/g) ?? []).some(isOffGrid))).toEqual([]);
});
