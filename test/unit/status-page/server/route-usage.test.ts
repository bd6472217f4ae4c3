import { expect, test } from '@jest/globals';
import type { RouteMatch } from '../../../../src/status-page/server/match-route.js';
import { RouteUsageCounter } from '../../../../src/status-page/server/route-usage.js';

const toMatch = (path: string) => ({ key: path, route: { path } }) as RouteMatch;

test('the most requested routes stay among a thousand variants that were requested once', () => {
  const usage = new RouteUsageCounter();
  usage.record('host', toMatch(''), 1);
  usage.record('host', toMatch('history'), 5);
  for (let month = 0; month < 1_000; month++) usage.record('host', toMatch(`history/${month}`), 1);
  expect(usage.mostRequested(3).map(({ match }) => match.key)).toEqual(['history', 'history/901', 'history/902']);
});
