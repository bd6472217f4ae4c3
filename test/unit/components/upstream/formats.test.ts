import { describe, expect, jest, test } from '@jest/globals';
import { formats, splitFormat, type UpstreamComponent } from '../../../../src/components/upstream/formats.js';
import { createItemParser } from '../../../../src/components/upstream/parse-each.js';
import { EventLoopTurns } from '../../../../src/core/queues/event-loop-turns.js';
import {
  atlassianSummary,
  betterStackIndex,
  incidentIoSummary,
  instatusComponents,
  pageApiComponents,
} from '../../../support/upstream-answers.js';

const parseEach = createItemParser(new EventLoopTurns());
const list = (components: UpstreamComponent[]) =>
  components.map(({ id, name, group, status }) => [id, name, group, status].join(' | '));

describe('the components of a status page are read', () => {
  test('from the summary of Atlassian Statuspage', async () => {
    expect(list(await formats.statuspage.read(atlassianSummary('partial_outage'), parseEach))).toEqual([
      '8l4ygp009s5s | Cloud |  | operational',
      'b13yz5g2cw10 | API | Cloud | partial-outage',
      '4230lsnqdsld | Shop |  | maintenance',
    ]);
  });

  test('from the summary of incident.io', async () => {
    expect(list(await formats.statuspage.read(incidentIoSummary('degraded_performance'), parseEach))).toEqual([
      '01JQAPI | API |  | degraded',
      '01JQSHOP | Shop |  | major-outage',
    ]);
  });

  test('from the components of Instatus, with the children of each', async () => {
    expect(list(await formats.instatus.read(instatusComponents('MAJOROUTAGE'), parseEach))).toEqual([
      'ckf01fvnxywz | API |  | major-outage',
      'ckf01parent | Cloud |  | operational',
      'ckf01shop | Shop | Cloud | partial-outage',
    ]);
  });

  test('from the index of Better Stack, with the names of sections', async () => {
    expect(list(await formats['better-stack'].read(betterStackIndex('downtime'), parseEach))).toEqual([
      '41 | API | Cloud | major-outage',
      '42 | Shop |  | maintenance',
    ]);
  });

  test('from the API of a page of this service', async () => {
    expect(list(await formats['page-api'].read(pageApiComponents('degraded'), parseEach))).toEqual([
      '11 | Cloud |  | operational',
      '12 | API | Cloud | degraded',
      '13 | Shop |  | maintenance',
    ]);
  });
});

test('a status that no format documents is unknown, and not operational', async () => {
  expect((await formats.statuspage.read(incidentIoSummary('brilliant'), parseEach))[0]!.status).toBe('unknown');
  expect((await formats.instatus.read(instatusComponents('constructor'), parseEach))[0]!.status).toBe('unknown');
  expect((await formats['better-stack'].read(betterStackIndex('not_monitored'), parseEach))[0]!.status).toBe('unknown');
  expect((await formats['better-stack'].read(betterStackIndex(null), parseEach))[0]!.status).toBe('unknown');
  expect((await formats['page-api'].read(pageApiComponents('toString'), parseEach))[1]!.status).toBe('unknown');
});

test.each([{}, [], null, { components: [{ id: 'a', name: 'A' }] }, { components: 'none' }])(
  'a response of another shape is refused: %j',
  async response => {
    for (const { read } of Object.values(formats)) await expect(read(response, parseEach)).rejects.toThrow();
  },
);

const many = <Item>(item: Item): Item[] => Array.from({ length: 10_000 }, () => item);

test('of thousands of components of another shape the problems of the first are collected', async () => {
  const responses = { components: many({}), data: { type: 'status_page' }, included: many({}) };
  for (const { read } of Object.values(formats)) {
    const error = await read(responses, parseEach).catch(error => error);
    expect(error.issues.length).toBeLessThan(5);
  }
});

test.each(['statuspage', 'instatus', 'page-api'] as const)(
  'other work has its turn each 5 ms while thousands of components are read: %s',
  async name => {
    const components = many({ id: 'a', name: 'A', status: 'operational', state: 'operational', children: many({}) });
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 1));
    let turns = 0;
    const take = async () => {
      turns += 1;
    };
    await formats[name].read({ components }, createItemParser({ take }));
    jest.restoreAllMocks();
    expect(turns).toBeGreaterThan(1_000);
  },
);

test('the children of a component of Instatus are left out where one has another shape', async () => {
  const child = { id: 'b', name: 'B', status: 'OPERATIONAL' };
  const parent = { id: 'a', name: 'A', status: 'OPERATIONAL', children: [child, {}] };
  expect(list(await formats.instatus.read({ components: [parent] }, parseEach))).toEqual(['a | A |  | operational']);
});

test.each([
  ['https://status.example.com/', 'https://status.example.com', null],
  ['https://status.example.com/api/v2/summary.json?x=1', 'https://status.example.com', 'statuspage'],
  ['https://example.com/status/2017f84a/api/v1/components.json', 'https://example.com/status/2017f84a', 'page-api'],
  ['https://status.example.com/v2/components.json#a', 'https://status.example.com', 'instatus'],
  ['https://status.example.com/index.json', 'https://status.example.com', 'better-stack'],
  ['https://example.com/status/2017f84a/', 'https://example.com/status/2017f84a', null],
])('the address %s is that of the page %s in the format %s', (address, url, format) => {
  expect(splitFormat(new URL(address))).toEqual({ url, format });
});
