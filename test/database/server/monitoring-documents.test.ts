import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { useOwnService } from '../../support/service.js';

// With the metrics that a setting adds.
const service = useOwnService({ metricsComponents: true });

const read = (name: string) => readFileSync(`docs/${name}`, 'utf8');
const alertNames = [...read('monitoring/alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
const findMetrics = (text: string) => new Set(text.match(/\b(?:all_clear|http|nodejs|process)_\w+/g));

interface Dashboard {
  panels: { targets: { expr: string }[] }[];
}

/** The names of all series that the service has. */
async function readSeries(): Promise<Set<string>> {
  const { text } = await service.get('/metrics');
  return new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map(suffix => `${name}${suffix}`) : [name!],
    ),
  );
}

test('alerts and dashboard name only metrics that the service has', async () => {
  const series = await readSeries();
  const expressions = [...read('monitoring/alerts.yml').matchAll(/expr: (.*)/g)].map(([, text]) => text!);
  const { panels }: Dashboard = JSON.parse(read('monitoring/dashboard.json'));
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect([expressions.length, queries.length > 15]).toEqual([alertNames.length, true]);
  expect([...findMetrics([...expressions, ...queries].join('\n'))].filter(name => !series.has(name))).toEqual([]);
});

test('the page of operations describes each metric of the service, and no other', async () => {
  const described = findMetrics(read('operations.md').match(/^\| metric[\s\S]*?\n\n/m)![0]);
  const series = [...(await readSeries())].filter(name => /^(all_clear|http)_/.test(name));
  expect(series.filter(name => !described.has(name.replace(/_(bucket|sum|count)$/, '')))).toEqual([]);
  const own = series.map(name => name.replace(/_(bucket|sum|count)$/, ''));
  expect([...described].filter(name => /^(all_clear|http)_/.test(name) && !own.includes(name))).toEqual([]);
});

test('each alert has a section in the runbook, which it links, and each section an alert', () => {
  const runbook = read('monitoring/README.md');
  expect([...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)).toEqual(alertNames);
  expect(alertNames.length).toBeGreaterThan(10);
  const links = [...read('monitoring/alerts.yml').matchAll(/runbook: docs\/monitoring\/README\.md#(\w+)/g)];
  expect(links.map(([, anchor]) => anchor)).toEqual(alertNames.map(name => name.toLowerCase()));
});
