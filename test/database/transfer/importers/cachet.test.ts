import { expect, test } from '@jest/globals';
import { cachetAnswers } from '../../../support/cachet-answers.js';
import { createPage } from '../../../support/factories.js';
import { describePage } from '../../../support/imported-pages.js';
import { useService } from '../../../support/service.js';
import { requestPage } from '../../../support/visitor.js';
import { createImport, removeSavedAnswers, saveAnswers, toCounts } from '../../../support/saved-answers.js';

const service = useService();
const { run, report } = createImport(service);
removeSavedAnswers();

const at = (string: string | null) => ({ human: 'then', string });
const resource = (id: string, attributes: object, relationships = {}) => ({ id, attributes, relationships });
const to = (...ids: string[]) => ({ data: ids.map(id => ({ id, type: 'components' })) });
const version3 = {
  'component-groups.json': { data: [resource('1', { name: 'Core', order: 1, created: at('2020-01-01 00:00:00') })] },
  'components.json': {
    data: [
      resource('1', { name: 'API', description: null, order: 1 }, { group: { data: { id: '1', type: 'g' } } }),
      resource('2', { name: 'Web', description: null, order: 2 }),
    ],
  },
  'incidents.json': {
    data: [
      resource(
        '1',
        {
          id: 1,
          name: 'Slow',
          message: 'We look.',
          visible: 1,
          status: { human: 'Fixed', value: 4 },
          occurred: at('2026-07-01 10:00:00'),
          created: at(null),
          updated: at('2026-07-01 12:00:00'),
        },
        { components: to('1'), updates: to('1', '2') },
      ),
      resource('2', {
        name: 'Secret',
        message: 'x',
        visible: 2,
        status: { value: 1 },
        created: at('2026-07-01 10:00:00'),
      }),
    ],
  },
  'incident-updates.json': {
    data: [
      resource('1', {
        updateable_type: 'incident',
        updateable_id: 1,
        message: 'A disk.',
        status: { value: 2 },
        created: at('2026-07-01 11:00:00'),
      }),
      resource('2', {
        updateable_type: 'incident',
        updateable_id: 1,
        message: 'Fixed.',
        status: { value: 4 },
        created: at('2026-07-01 12:00:00'),
      }),
    ],
  },
  'schedules.json': {
    data: [
      resource(
        '1',
        {
          name: 'Move',
          message: 'We move.',
          status: { value: 2 },
          scheduled: at('2026-07-02 10:00:00'),
          completed: at('2026-07-02 12:00:00'),
          created: at('2026-07-01 10:00:00'),
        },
        { components: to('2') },
      ),
      resource('2', { name: 'No end', message: 'x', scheduled: at('2099-07-02 10:00:00'), completed: at(null) }),
    ],
  },
  'subscribers.json': cachetAnswers['subscribers.json'],
};

test.each([
  ['2', cachetAnswers],
  ['3', version3],
])('allclear import --from cachet moves what version %s returns, twice without doubling it', async (_, answers) => {
  const page = (await createPage(service, { name: 'Meridian' })).id;
  const folder = saveAnswers(answers);
  const options = ['--from', 'cachet', '--time-zone', 'Europe/Berlin', '--page', page, '--yes'];
  const first = await report(folder, ...options);
  expect(first.leftOut.map(({ kind, sourceId, reason }) => `${kind} ${sourceId} ${reason}`)).toEqual([
    'notice 2 is not shown to visitors',
    'notice 2 has no end of its window',
    'subscriber 3 has not confirmed the subscription',
  ]);
  expect(await describePage(service, page)).toEqual([
    'Meridian, UTC',
    'Core',
    'Core / API',
    'Web',
    'Move: COMPLETE 2026-07-02T08:00 2026-07-02T10:00 [2026-07-02T08:00 2026-07-02T10:00] Web DEGRADED',
    '  SCHEDULED 2026-07-01T08:00 We move.',
    'Slow: RESOLVED 2026-07-01T08:00 2026-07-01T10:00 API DEGRADED',
    '  INVESTIGATING 2026-07-01T08:00 We look.',
    '  IDENTIFIED 2026-07-01T09:00 A disk.',
    '  RESOLVED 2026-07-01T10:00 Fixed.',
    'anna@example.com',
    'ben@example.com API',
  ]);
  expect(toCounts(await report(folder, ...options))).toEqual({
    component: [0, 0, 3, 0],
    notice: [0, 0, 2, 2],
    update: [0, 0, 4, 0],
    subscriber: [0, 0, 2, 1],
  });
});

test('the addresses that notices had there lead to them, on the host of the page alone', async () => {
  const page = (await createPage(service)).id;
  const other = (await createPage(service)).id;
  const folder = saveAnswers(cachetAnswers);
  await report(folder, '--from', 'cachet', '--time-zone', 'Europe/Berlin', '--page', page, '--yes');
  const locate = async (path: string, host = `${page}.localhost`) => {
    const { status, headers } = await requestPage(service.url, host, path);
    return headers.location ? `${status} ${new URL(String(headers.location)).pathname.slice(25)}` : status;
  };
  expect(await locate('/incidents/1')).toBe('301 -slow');
  expect(await locate('/schedules/1')).toBe('301 -move');
  const { headers } = await requestPage(service.url, `${page}.localhost`, '/incidents/1');
  const { pathname, host } = new URL(String(headers.location));
  expect((await requestPage(service.url, host, pathname)).status).toBe(200);
  for (const path of ['/incidents/2', '/incidents/99', '/incident/1', '/incidents/schedule%201', '/incidents/%00'])
    expect([path, await locate(path)]).toEqual([path, 404]);
  expect(await locate('/incidents/1', `${other}.localhost`)).toBe(404);
  expect(await locate(`/status/${page}/incidents/1`, 'localhost')).toBe(404);
});

test('asks for the time zone', async () => {
  expect((await run(saveAnswers(cachetAnswers), '--from', 'cachet')).error).toContain('--time-zone Europe/Berlin');
});
