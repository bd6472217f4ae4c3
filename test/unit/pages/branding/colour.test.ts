import { describe, expect, test } from '@jest/globals';
import { defaultColours, isColour } from '../../../../src/pages/branding/colour.js';

const validColours = [
  '#abc',
  '#ABCD',
  '#27ae60',
  '#27AE60ff',
  'rgb(0,0,0)',
  'rgb(255, 128, 0)',
  'rgb( 255 , 128 , 0 )',
  'RGB(1,2,3)',
  'rgb(100%,0%,33.3%)',
  'rgba(0,0,0,0.01)',
  'rgba(0, 0, 0, .5)',
  'rgba(0,0,0,1)',
  'rgba(0,0,0,1.0)',
  'rgba(0,0,0,50%)',
  'RGBA(10%, 20%, 30%, 0)',
];

const invalidColours = [
  '',
  'red',
  'abc',
  '#ab',
  '#abcde',
  '#abcdefa',
  '#abcdefabc',
  '#ggg',
  'rgb(256,0,0)',
  'rgb(-1,0,0)',
  'rgb(1.5,0,0)',
  'rgb(1,2)',
  'rgb(1,2,3,0.5)',
  'rgb(10%,2,3)',
  'rgb(101%,0%,0%)',
  'rgb(%,%,%)',
  'rgb(1,2,)',
  'rgba(1,2,3)',
  'rgba(1,2,3,1.1)',
  'rgba(1,2,3,-1)',
  'rgba(1,2,3,101%)',
  'rgba(1,2,3,)',
  'rgba(1,2,3,4,0.5)',
  'hsl(0,0%,0%)',
  '#abc;}',
  '#abc\n',
  ' #abc',
  'rgb(0,0,0);background:url(//x)',
  'rgb(0,0,url(x))',
  'var(--x)',
  'transparent',
];

describe('isColour', () => {
  test.each(validColours)('accepts %j', value => expect(isColour(value)).toBe(true));
  test.each(invalidColours)('rejects %j', value => expect(isColour(value)).toBe(false));
  test('accepts each of the defaults', () => {
    expect(Object.keys(defaultColours)).toHaveLength(11);
    for (const value of Object.values(defaultColours)) expect(isColour(value)).toBe(true);
  });
  test('rejects long input in linear time', () => {
    expect(isColour(`rgba(${' '.repeat(100_000)}x`)).toBe(false);
    expect(isColour(`rgb(1,2,${' '.repeat(100_000)}x${' '.repeat(100_000)})`)).toBe(false);
  });
});
