import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isColour } from '../../../src/branding/colour.js';
import {
  black,
  colourOf,
  contrastOf,
  distinct,
  hexOf,
  quieter,
  readable,
  signContrast,
  textContrast,
  white,
} from '../../../src/branding/contrast.js';

const channel = fc.integer({ min: 0, max: 255 });
const anyColour = fc.record({ red: channel, green: channel, blue: channel });
const read = (background: string, wanted: string) =>
  hexOf(readable(colourOf(background), colourOf(wanted, colourOf(background))));

describe('a colour as it is written', () => {
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
  ])('%s on white is %s', (writing, seen) => {
    expect(isColour(writing)).toBe(true);
    expect(hexOf(colourOf(writing))).toBe(seen);
  });

  test('what shines through is the background it is on', () => {
    expect(hexOf(colourOf('rgba(255,255,255,0.5)', black))).toBe('#808080');
  });
});

describe('contrast', () => {
  test.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#0000ff', '#ffffff', 8.59],
    ['#2980b9', '#ffffff', 4.3],
  ])('of %s on %s is %d', (one, other, ratio) => {
    expect(contrastOf(colourOf(one), colourOf(other))).toBeCloseTo(ratio, 1);
    expect(contrastOf(colourOf(other), colourOf(one))).toBeCloseTo(ratio, 1);
  });
});

describe('text on a colour of a brand', () => {
  test.each([
    ['what can be read stays', '#ffffff', '#2c3e50', '#2c3e50'],
    ['yellow on white is black', '#ffffff', '#ffee00', '#000000'],
    ['white on yellow is black', '#ffdd00', '#ffffff', '#000000'],
    ['grey on navy is white', '#001f3f', '#444444', '#ffffff'],
    ['what nobody sees through is resolved first', '#ffffff', 'rgba(0,0,0,0.1)', '#000000'],
  ])('%s', (_, background, wanted, seen) => {
    expect(read(background, wanted)).toBe(seen);
  });

  test('what is short of it by a hair is moved by a hair', () => {
    const seen = colourOf(read('#ffffff', '#2980b9'));
    expect(contrastOf(seen, white)).toBeGreaterThanOrEqual(textContrast);
    expect(seen.blue - seen.red).toBeGreaterThan(100);
  });

  test('can be read, whatever the colours are', () => {
    fc.assert(
      fc.property(
        anyColour,
        anyColour,
        (background, wanted) => contrastOf(readable(background, wanted), background) >= textContrast,
      ),
      { numRuns: 2000 },
    );
  });

  test('can be read when it is made quieter', () => {
    fc.assert(
      fc.property(
        anyColour,
        anyColour,
        (background, wanted) =>
          contrastOf(quieter(readable(background, wanted), background, 0.6), background) >= textContrast,
      ),
      { numRuns: 2000 },
    );
  });
});

test('a sign stands out from any ground, and stays as it is where it does already', () => {
  expect(distinct(colourOf('#c0392b'), white, signContrast)).toEqual(colourOf('#c0392b'));
  fc.assert(
    fc.property(
      anyColour,
      anyColour,
      (background, colour) => contrastOf(distinct(colour, background, signContrast), background) >= signContrast,
    ),
    { numRuns: 2000 },
  );
});
