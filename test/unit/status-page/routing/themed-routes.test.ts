import { expect, test } from '@jest/globals';
import { mayBeThemed } from '../../../../src/status-page/routing/public-route.js';
import { matchRoute } from '../../../../src/status-page/server/match-route.js';

test.each([
  ['', '', true],
  ['', 'lang=de', true],
  ['error-page', '', true],
  ['theme/0123456789abcdef/style.css', '', true],
  // Of which there are thousands: they take turns with the responses of other pages.
  ['', 'embed=banner,notices', false],
  ['history', '', false],
])('whether a theme may render %s?%s: %s', (path, query, isThemed) => {
  const { route, parameters } = matchRoute(path, query)!;
  expect(mayBeThemed(route, parameters)).toBe(isThemed);
});
