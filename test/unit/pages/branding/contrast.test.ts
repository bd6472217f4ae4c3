import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isColour } from '../../../../src/pages/branding/colour.js';
import {
  black,
  parseColour,
  contrastRatio,
  ensureContrast,
  toHex,
  mute,
  chooseReadable,
  graphicContrast,
  textContrast,
  white,
} from '../../../../src/pages/branding/contrast.js';

const channel = fc.integer({ min: 0, max: 255 });
const anyColour = fc.record({ red: channel, green: channel, blue: channel });
const chooseHex = (background: string, wanted: string) =>
  toHex(chooseReadable(parseColour(background), parseColour(wanted, parseColour(background))));

describe('parseColour', () => {
  test.each([
    ['#27ae60', '#27ae60'],
    ['#ABC', '#aabbcc'],
    ['#0008', '#777777'],
    ['#00000080', '#7f7f7f'],
    ['rgb(1, 2, 3)', '#010203'],
    ['rgb(100%, 0%, 50%)', '#ff0080'],
    ['rgba(0,0,0,0.01)', '#fcfcfc'],
    ['RGBA(255,0,0,50%)', '#ff8080'],
    ['rgba(0, 0, 0, .5)', '#808080'],
  ])('parses %s on white as %s', (text, expected) => {
    expect(isColour(text)).toBe(true);
    expect(toHex(parseColour(text))).toBe(expected);
  });

  test('blends a translucent colour with its background', () => {
    expect(toHex(parseColour('rgba(255,255,255,0.5)', black))).toBe('#808080');
  });
});

describe('contrastRatio', () => {
  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#0000ff', '#ffffff', 8.59],
    ['#2980b9', '#ffffff', 4.3],
  ])('of %s on %s is %d', (one, other, ratio) => {
    expect(contrastRatio(parseColour(one), parseColour(other))).toBeCloseTo(ratio, 1);
    expect(contrastRatio(parseColour(other), parseColour(one))).toBeCloseTo(ratio, 1);
  });
});

describe('chooseReadable', () => {
  test.each([
    ['keeps a readable colour', '#ffffff', '#2c3e50', '#2c3e50'],
    ['replaces yellow on white with black', '#ffffff', '#ffee00', '#000000'],
    ['replaces white on yellow with black', '#ffdd00', '#ffffff', '#000000'],
    ['replaces grey on navy with white', '#001f3f', '#444444', '#ffffff'],
    ['blends a translucent colour first', '#ffffff', 'rgba(0,0,0,0.1)', '#000000'],
  ])('%s', (_, background, wanted, expected) => {
    expect(chooseHex(background, wanted)).toBe(expected);
  });

  test('corrects a colour that is almost readable', () => {
    const corrected = parseColour(chooseHex('#ffffff', '#2980b9'));
    expect(contrastRatio(corrected, white)).toBeGreaterThanOrEqual(textContrast);
    expect(corrected.blue - corrected.red).toBeGreaterThan(100);
  });

  test('returns a readable colour for all inputs', () => {
    fc.assert(
      fc.property(
        anyColour,
        anyColour,
        (background, wanted) => contrastRatio(chooseReadable(background, wanted), background) >= textContrast,
      ),
      { numRuns: 2000 },
    );
  });

  test('stays readable after mute', () => {
    fc.assert(
      fc.property(
        anyColour,
        anyColour,
        (background, wanted) =>
          contrastRatio(mute(chooseReadable(background, wanted), background, 0.6), background) >= textContrast,
      ),
      { numRuns: 2000 },
    );
  });
});

test('ensureContrast returns a colour of sufficient contrast, and the same if it has it already', () => {
  expect(ensureContrast(parseColour('#c0392b'), white, graphicContrast)).toEqual(parseColour('#c0392b'));
  fc.assert(
    fc.property(
      anyColour,
      anyColour,
      (background, colour) =>
        contrastRatio(ensureContrast(colour, background, graphicContrast), background) >= graphicContrast,
    ),
    { numRuns: 2000 },
  );
});
