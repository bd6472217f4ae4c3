import { expect, test } from '@jest/globals';
import { matchesEtag } from '../../../src/http/etag.js';

test.each([
  ['the same tag', '"abc"'],
  ['any tag', '*'],
  ['any tag between blanks', ' * '],
  ['a list with the tag', '"x", "abc" ,"y"'],
  ['the weak form of the tag', 'W/"abc"'],
])('matches %s', (_, header) => {
  expect(matchesEtag(header, '"abc"')).toBe(true);
});

test.each([
  ['an absent header', undefined],
  ['an empty header', ''],
  ['another tag', '"x"'],
  ['a tag without quotes', 'abc'],
  ['text that contains the tag', 'x"abc"y'],
  ['a tag in another case', '"ABC"'],
  ['a list without the tag', '"x", W/"y"'],
])('does not match %s', (_, header) => {
  expect(matchesEtag(header, '"abc"')).toBe(false);
});

test('matches a weak tag against its strong form', () => {
  expect(matchesEtag('"abc"', 'W/"abc"')).toBe(true);
});
