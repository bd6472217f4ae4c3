import { describe, expect, test } from '@jest/globals';
import { maxJsonValues, parseJson } from '../../../src/http/body.js';

describe('parseJson', () => {
  const numbers = (count: number) => `[${Array.from({ length: count }, (_, index) => index).join()}]`;

  test('parses as many values as are allowed, and refuses one more', () => {
    expect(parseJson(numbers(maxJsonValues - 1))).toHaveLength(maxJsonValues - 1);
    expect(() => parseJson(numbers(maxJsonValues + 1))).toThrow('The JSON has more than 20,000 values.');
    expect(parseJson(numbers(maxJsonValues + 1), { maxValues: 50_000 })).toHaveLength(maxJsonValues + 1);
  });

  test.each([
    ['separators', ',[{'.repeat(10_000)],
    ['quotation marks before separators', '\\",'.repeat(10_000)],
    ['backslashes at its end', `${'['.repeat(30_000)}\\\\`],
  ])('counts nothing in a text with %s', (_, text) => {
    expect(parseJson(`{"a":"${text}","b":[1]}`)).toEqual({ a: JSON.parse(`"${text}"`), b: [1] });
  });

  test.each([
    ['blanks', `${' '.repeat(1_100_000)}1`],
    ['escaped quotation marks', `"${'\\"'.repeat(1_100_000)}"`],
  ])('refuses more than a million %s', (_, text) => {
    expect(() => parseJson(text)).toThrow('The JSON has more than 1,048,576 characters outside strings.');
  });

  test('reads a long text', () => {
    expect(parseJson(`{"zip":"${'a'.repeat(2_000_000)}","b":"\\\\"}`)).toMatchObject({ b: '\\' });
  });

  test.each(['{"a":', '"a', '[1,]', `"${'a'.repeat(30_000)}`, `"${'a'.repeat(30_000)}\\`])('refuses %.9s', text => {
    expect(() => parseJson(text)).toThrow('The body is not valid JSON.');
  });
});
