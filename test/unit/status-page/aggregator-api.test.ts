import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { aggregatorRoutes } from '../../../src/status-page/aggregator-api/routes.js';
import { instatusSummary } from '../../../src/status-page/aggregator-api/instatus.js';
import type { PageView } from '../../../src/status-page/view/view.js';
import { aggregatorSchemas } from '../../support/aggregator-schema.js';
import {
  minutesAgo,
  renderBody,
  component,
  renderRoute,
  hostileTexts,
  notice,
  createView,
} from '../../support/page-views.js';
import { samplePages, buildSampleView } from '../../support/sample-pages.js';

const validator = addFormats.default(new Ajv2020({ strict: true }));
const findRoute = (path: string) => aggregatorRoutes.find(route => route.path === `api/v2/${path}`)!;

async function readJson(path: string, view: PageView) {
  const body = JSON.parse(await renderBody(findRoute(path), view));
  const validate = validator.compile(aggregatorSchemas[path]!);
  validate(body);
  expect({ path, errors: validate.errors }).toEqual({ path, errors: null });
  return body;
}

const components = [
  component(1, 'Shop'),
  component(2, 'Checkout', 1),
  component(3, 'Cards', 2),
  component(4, 'Search'),
  component(5, 'Mail'),
];
const incident = notice(7, 'unplanned', 'identified', {
  componentIds: [2],
  updates: ['We *look*.', '[Found](https://example.com) it.'],
});
const activeMaintenance = notice(8, 'planned', 'underway', { componentIds: [4] });
const upcomingMaintenance = notice(9, 'planned', 'scheduled', { componentIds: [5] });
const resolvedIncident = notice(6, 'unplanned', 'resolved', { componentIds: [4] });
const completedMaintenance = notice(5, 'planned', 'complete', { componentIds: [5] });
const view = createView({
  components,
  notices: [
    resolvedIncident,
    completedMaintenance,
    incident,
    activeMaintenance,
    upcomingMaintenance,
    notice(10, 'general', null),
  ],
});

test.each([
  [10, 50],
  [600, 1],
])(
  'the updates of an incident name 500 components in total, and one each in any case: %s updates',
  async (length, each) => {
    const many = Array.from({ length: 100 }, (_, index) => component(index + 1, `Part ${index + 1}`));
    const long = notice(7, 'unplanned', 'identified', {
      componentIds: many.map(({ id }) => id),
      updates: Array.from({ length }, (_, index) => `No. ${index}`),
    });
    const { incidents } = await readJson('incidents.json', createView({ components: many, notices: [long] }));
    const { incident_updates: updates, components: named } = incidents[0];
    expect(named).toHaveLength(100);
    expect(updates.map(({ affected_components: affected }: { affected_components: [] }) => affected.length)).toEqual(
      Array(length).fill(each),
    );
  },
);

describe('every route of the aggregator API', () => {
  test('has a JSON schema in this test', () => {
    expect(aggregatorRoutes.map(({ path }) => path)).toEqual(
      Object.keys(aggregatorSchemas).map(path => `api/v2/${path}`),
    );
  });

  test.each(Object.keys(aggregatorSchemas))(
    '%s matches its schema on degraded, empty and hostile pages and on all sample pages',
    async path => {
      const hostile = createView({
        page: { name: hostileTexts.join('') },
        components: hostileTexts.map((text, index) => component(index + 1, text)),
        notices: hostileTexts.flatMap((text, index) => [
          notice(100 + index, 'unplanned', 'investigating', {
            subject: text,
            updates: [text],
            componentIds: [index + 1],
          }),
          notice(200 + index, 'planned', 'underway', { subject: text, updates: [text] }),
        ]),
      });
      const bodies = await Promise.all([view, createView(), hostile].map(one => readJson(path, one)));
      expect(bodies.map(({ page }) => page.id)).toEqual(['a1b2c3d4', 'a1b2c3d4', 'a1b2c3d4']);
      const sampleBodies = await Promise.all(
        Object.values(samplePages).map(samplePage => readJson(path, buildSampleView(samplePage))),
      );
      expect(sampleBodies.length).toBeGreaterThan(4);
      expect((await renderRoute(findRoute(path), hostile)).body).not.toMatch(/\\ud[89a-f]/i);
      expect(await renderRoute(findRoute(path), view)).toMatchObject({ type: 'application/json; charset=utf-8' });
    },
  );
});

test('summary.json lists unresolved incidents, and maintenance that is upcoming or active', async () => {
  const { page, incidents, scheduled_maintenances, status } = await readJson('summary.json', view);
  expect(page).toMatchObject({
    name: 'Acme',
    url: 'https://status.example.com',
    time_zone: 'Etc/UTC',
    updated_at: minutesAgo(4),
  });
  expect(incidents.map(({ id }: { id: string }) => id)).toEqual(['7']);
  expect(scheduled_maintenances.map(({ id }: { id: string }) => id)).toEqual(['9', '8']);
  expect(status).toEqual({ indicator: 'minor', description: 'Degraded: Checkout' });
});

test('the lists contain the notices that their names describe', async () => {
  const ids = async (path: string) => {
    const { incidents, scheduled_maintenances } = await readJson(path, view);
    return (incidents ?? scheduled_maintenances).map(({ id }: { id: string }) => id);
  };
  expect(await ids('incidents.json')).toEqual(['7', '6']);
  expect(await ids('incidents/unresolved.json')).toEqual(['7']);
  expect(await ids('scheduled-maintenances.json')).toEqual(['9', '8', '5']);
  expect(await ids('scheduled-maintenances/upcoming.json')).toEqual(['9']);
  expect(await ids('scheduled-maintenances/active.json')).toEqual(['8']);
});

test('a component has the status that follows from the notices on it, its ancestors and descendants', async () => {
  const { components: all } = await readJson('components.json', view);
  const rows = (
    all as {
      name: string;
      status: string;
      group: boolean;
      group_id: string | null;
      components?: string[];
      position: number;
    }[]
  ).map(({ name, status, group, group_id, components: within, position }) => [
    name,
    status,
    group,
    group_id,
    within,
    position,
  ]);
  expect(rows).toEqual([
    ['Shop', 'degraded_performance', true, null, ['2'], 1],
    ['Checkout', 'degraded_performance', true, '1', ['3'], 1],
    ['Cards', 'degraded_performance', false, '2', undefined, 1],
    ['Search', 'under_maintenance', false, null, undefined, 2],
    ['Mail', 'operational', false, null, undefined, 3],
  ]);
});

test('a component with maintenance and an incident shows the incident', async () => {
  const both = createView({
    components,
    notices: [activeMaintenance, notice(11, 'unplanned', 'recovering', { componentIds: [4] })],
  });
  const { components: all, status } = await readJson('summary.json', both);
  expect(all.find(({ id }: { id: string }) => id === '4').status).toBe('degraded_performance');
  expect(status.indicator).toBe('minor');
});

test.each([
  ['no notice', [], 'none', 'All systems operational'],
  ['maintenance', [activeMaintenance], 'maintenance', 'Under maintenance: Search'],
  ['an announcement', [notice(10, 'general', null)], 'none', 'All systems operational'],
  [
    'an incident that names no component',
    [notice(11, 'unplanned', 'investigating')],
    'minor',
    'We are experiencing problems',
  ],
  [
    'an incident on all components',
    [notice(11, 'unplanned', 'investigating', { componentIds: [1, 4, 5] })],
    'major',
    'All systems are degraded',
  ],
  ['a false alarm', [notice(11, 'unplanned', 'false_alarm', { componentIds: [1] })], 'none', 'All systems operational'],
  [
    'an incident on some components and maintenance on the others',
    [
      notice(11, 'unplanned', 'identified', { componentIds: [1, 4] }),
      notice(12, 'planned', 'underway', { componentIds: [5] }),
    ],
    'minor',
    'Some systems are degraded',
  ],
])('with %s, the indicator agrees with the banner', async (_, notices, indicator, description) => {
  expect((await readJson('status.json', createView({ components, notices }))).status).toEqual({
    indicator,
    description,
  });
});

test.each([
  [{ 2: 'partial-outage' }, 'major', 'Partial outage: Checkout', 'partial_outage'],
  [{ 2: 'major-outage' }, 'critical', 'Major outage: Checkout', 'major_outage'],
] as const)('an incident with the impact %j', async (impacts, impact, description, componentStatus) => {
  const outage = notice(11, 'unplanned', 'identified', { componentIds: [2, 4], impacts, updates: ['It is down.'] });
  const body = await readJson('summary.json', createView({ components, notices: [outage] }));
  expect(body.status).toEqual({ indicator: impact, description });
  expect(body.incidents[0].impact).toBe(impact);
  expect(body.incidents[0].incident_updates[0].affected_components).toMatchObject([
    { code: '2', new_status: componentStatus },
    { code: '4', new_status: 'degraded_performance' },
  ]);
  expect(body.components.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual([
    ['Shop', 'degraded_performance'],
    ['Checkout', componentStatus],
    ['Cards', 'degraded_performance'],
    ['Search', 'degraded_performance'],
    ['Mail', 'operational'],
  ]);
});

test('an incident on a page without components has the indicator minor', async () => {
  expect(
    (await readJson('summary.json', createView({ notices: [notice(1, 'unplanned', 'investigating')] }))).status
      .indicator,
  ).toBe('minor');
});

test('status.json in another language has the same indicator', async () => {
  const { status } = await readJson('status.json', createView({ locale: 'de' }));
  expect(status.indicator).toBe('none');
});

describe('an incident', () => {
  test.each([
    ['investigating', 'investigating', 'minor'],
    ['identified', 'identified', 'minor'],
    ['recovering', 'monitoring', 'minor'],
    ['resolved', 'resolved', 'minor'],
    ['false_alarm', 'resolved', 'none'],
  ] as const)('in state %s has status %s', async (state, status, impact) => {
    const { incidents } = await readJson(
      'incidents.json',
      createView({ components, notices: [notice(1, 'unplanned', state, { componentIds: [4], updates: ['a'] })] }),
    );
    expect(incidents[0]).toMatchObject({ status, impact, incident_updates: [{ status }] });
    expect(incidents[0].monitoring_at).toBe(status === 'monitoring' ? minutesAgo(10) : null);
    expect(incidents[0].resolved_at).toBe(status === 'resolved' ? minutesAgo(5) : null);
  });

  test('lists its updates newest first, as plain text, with the old and new component statuses', async () => {
    const resolved = notice(1, 'unplanned', 'resolved', {
      componentIds: [4],
      updates: [
        { content: 'It *fails*.', state: 'investigating' },
        { content: 'Found.', state: 'identified' },
        { content: 'Better.', state: 'recovering' },
        { content: 'Done.', state: 'resolved' },
      ],
    });
    const { incidents } = await readJson('incidents.json', createView({ components, notices: [resolved] }));
    const updates = incidents[0].incident_updates as {
      body: string;
      status: string;
      affected_components: { old_status: string; new_status: string }[];
    }[];
    expect(
      updates.map(({ body, status, affected_components: [affected] }) => [
        body,
        status,
        affected!.old_status,
        affected!.new_status,
      ]),
    ).toEqual([
      ['Done.', 'resolved', 'degraded_performance', 'operational'],
      ['Better.', 'monitoring', 'degraded_performance', 'degraded_performance'],
      ['Found.', 'identified', 'degraded_performance', 'degraded_performance'],
      ['It fails.', 'investigating', 'operational', 'degraded_performance'],
    ]);
  });

  test('says which of its updates were sent through the channels, and when it was first recovering', async () => {
    const recovered = notice(1, 'unplanned', 'resolved', {
      updates: [
        { content: 'It fails.', state: 'investigating', shouldPublish: true },
        { content: 'Better.', state: 'recovering', shouldPublish: false },
        { content: 'Done.', state: 'resolved', shouldPublish: true },
      ],
    });
    const { incidents } = await readJson('incidents.json', createView({ notices: [recovered] }));
    const updates = incidents[0].incident_updates as { deliver_notifications: boolean }[];
    expect(updates.map(({ deliver_notifications }) => deliver_notifications)).toEqual([true, false, true]);
    expect(incidents[0].monitoring_at).toBe(minutesAgo(9));
  });

  test('has the status of the notice in updates without a stored state', async () => {
    const old = notice(1, 'unplanned', 'identified', { updates: ['It fails.', 'Found.'] });
    const { incidents } = await readJson('incidents.json', createView({ notices: [old] }));
    expect(incidents[0].incident_updates).toMatchObject([{ status: 'identified' }, { status: 'identified' }]);
  });

  test('has one update with its subject when it has none, since many clients read the first', async () => {
    const notices = [true, false].map((isPublished, index) =>
      notice(index + 1, 'unplanned', 'investigating', { subject: 'All *new*', isPublished }),
    );
    const { incidents } = await readJson('incidents.json', createView({ notices }));
    const update = { body: 'All *new*', status: 'investigating' };
    expect(incidents).toMatchObject([
      { incident_updates: [{ ...update, id: 'notice-2', deliver_notifications: false }] },
      { incident_updates: [{ ...update, id: 'notice-1', deliver_notifications: true }] },
    ]);
  });

  test('has the URL and the begin of its notice', async () => {
    const { incidents } = await readJson('incidents.json', view);
    expect(incidents[0]).toMatchObject({
      shortlink: 'https://status.example.com/notices/token00000000007-notice-7',
      started_at: minutesAgo(10),
      page_id: 'a1b2c3d4',
    });
  });
});

describe('maintenance', () => {
  test.each([
    ['scheduled', 'scheduled'],
    ['underway', 'in_progress'],
    ['complete', 'completed'],
    ['cancelled', 'completed'],
  ] as const)('in state %s has status %s', async (state, status) => {
    const { scheduled_maintenances } = await readJson(
      'scheduled-maintenances.json',
      createView({ notices: [notice(1, 'planned', state, { updates: ['a', 'b'] })] }),
    );
    expect(scheduled_maintenances[0]).toMatchObject({
      status,
      impact: 'maintenance',
      scheduled_until: minutesAgo(-120),
      incident_updates: [{ status }, {}],
    });
  });

  test('has in each update the status that it was posted with', async () => {
    const planned = notice(1, 'planned', 'underway', {
      componentIds: [4],
      updates: [
        { content: 'Soon.', state: 'scheduled' },
        { content: 'Now.', state: 'underway' },
        { content: 'Still.', state: 'underway' },
      ],
    });
    const { scheduled_maintenances } = await readJson(
      'scheduled-maintenances.json',
      createView({ components, notices: [planned] }),
    );
    const updates = scheduled_maintenances[0].incident_updates as {
      status: string;
      affected_components: { new_status: string }[];
    }[];
    expect(updates.map(({ status, affected_components: [affected] }) => [status, affected!.new_status])).toEqual([
      ['in_progress', 'under_maintenance'],
      ['in_progress', 'under_maintenance'],
      ['scheduled', 'operational'],
    ]);
  });
});

test('incidents are ordered by when they began, the last first, and one that has not begun by its creation', async () => {
  const notices = [
    notice(1, 'unplanned', 'investigating', { beganAt: minutesAgo(20) }),
    notice(2, 'unplanned', 'resolved', { beganAt: minutesAgo(5) }),
    notice(3, 'unplanned', 'resolved', { beganAt: minutesAgo(50_000), updatedAt: minutesAgo(0) }),
    notice(4, 'unplanned', 'investigating', { beganAt: minutesAgo(20) }),
    notice(5, 'planned', 'underway', { beganAt: minutesAgo(8) }),
    notice(6, 'planned', 'scheduled', { createdAt: minutesAgo(9) }),
  ];
  const body = await readJson('incidents.json', createView({ notices }));
  expect(body.incidents.map(({ id }: { id: string }) => id)).toEqual(['2', '4', '1', '3']);
  const summary = await readJson('summary.json', createView({ notices }));
  expect(summary.incidents.map(({ id }: { id: string }) => id)).toEqual(['4', '1']);
  expect(summary.scheduled_maintenances.map(({ id }: { id: string }) => id)).toEqual(['5', '6']);
});

test('incidents.json lists the 50 newest incidents at most', async () => {
  const many = Array.from({ length: 60 }, (_, index) => notice(index + 1, 'unplanned', 'resolved'));
  const { incidents } = await readJson('incidents.json', createView({ notices: many }));
  expect(incidents).toHaveLength(50);
  expect(incidents[0].id).toBe('60');
});

describe('the Instatus summary', () => {
  const summary = async (view: PageView) => JSON.parse(await renderBody(instatusSummary, view));

  test('lists present and upcoming notices with the statuses of Instatus', async () => {
    const link = (id: number) =>
      expect.stringMatching(new RegExp(`^https://status\\.example\\.com/notices/token0*${id}`));
    expect(await summary(view)).toEqual({
      page: { name: 'Acme', url: 'https://status.example.com', status: 'HASISSUES' },
      activeIncidents: [
        {
          id: '7',
          name: incident.subject,
          status: 'IDENTIFIED',
          url: link(7),
          updatedAt: incident.updatedAt,
          started: incident.beganAt,
          impact: 'DEGRADEDPERFORMANCE',
        },
      ],
      activeMaintenances: [
        {
          id: '8',
          name: activeMaintenance.subject,
          status: 'INPROGRESS',
          url: link(8),
          updatedAt: activeMaintenance.updatedAt,
          start: activeMaintenance.beginsAt,
          duration: '130',
        },
        {
          id: '9',
          name: upcomingMaintenance.subject,
          status: 'NOTSTARTEDYET',
          url: link(9),
          updatedAt: upcomingMaintenance.updatedAt,
          start: upcomingMaintenance.beginsAt,
          duration: '60',
        },
      ],
    });
  });

  test.each([
    ['no notice', [], 'UP'],
    ['upcoming maintenance', [upcomingMaintenance], 'UP'],
    ['maintenance', [activeMaintenance], 'UNDERMAINTENANCE'],
    ['an incident beside maintenance', [activeMaintenance, notice(7, 'unplanned', 'recovering')], 'HASISSUES'],
  ])('with %s, the page status is %s', async (_, notices, status) => {
    expect((await summary(createView({ components, notices }))).page.status).toBe(status);
  });

  test.each([
    [{}, 'DEGRADEDPERFORMANCE'],
    [{ 1: 'partial-outage' }, 'PARTIALOUTAGE'],
    [{ 1: 'partial-outage', 4: 'major-outage' }, 'MAJOROUTAGE'],
  ] as const)('reports the worst impact: %j', async (impacts, impact) => {
    const all = notice(7, 'unplanned', 'recovering', { componentIds: [1, 4, 5], impacts });
    expect((await summary(createView({ components, notices: [all] }))).activeIncidents).toMatchObject([
      { impact, status: 'MONITORING' },
    ]);
  });
});

test('the descriptions of components that many incidents name have 500,000 bytes in a response', async () => {
  const described = { ...component(1, 'Shop'), description: 'ä'.repeat(100_000) };
  const open = Array.from({ length: 10 }, (_, index) =>
    notice(index + 1, 'unplanned', 'identified', { componentIds: [1] }),
  );
  const { incidents } = await readJson('incidents.json', createView({ components: [described], notices: open }));
  const lengths = incidents.map(({ components: [named] }: { components: { description: string | null }[] }) =>
    named!.description === null ? 0 : named!.description.length,
  );
  expect(lengths).toEqual([100_000, 100_000, 0, 0, 0, 0, 0, 0, 0, 0]);
});
