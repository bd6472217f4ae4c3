import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { aggregatorFaces } from '../../../src/status-page/aggregator-api/routes.js';
import { instatusSummary } from '../../../src/status-page/aggregator-api/instatus.js';
import type { PageView } from '../../../src/status-page/view/view.js';
import { aggregatorSchemas } from '../../support/aggregator-schema.js';
import { ago, bodyOf, component, draw, hostileTexts, notice, viewFor } from '../../support/page-views.js';
import { situations, viewOfSituation } from '../../support/sample-pages.js';

const validator = addFormats.default(new Ajv2020({ strict: true }));
const faceOf = (path: string) => aggregatorFaces.find(face => face.path === `api/v2/${path}`)!;

async function read(path: string, view: PageView) {
  const answer = JSON.parse(await bodyOf(faceOf(path), view));
  const validate = validator.compile(aggregatorSchemas[path]!);
  validate(answer);
  expect({ path, errors: validate.errors }).toEqual({ path, errors: null });
  return answer;
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
const running = notice(8, 'planned', 'underway', { componentIds: [4] });
const upcoming = notice(9, 'planned', 'scheduled', { componentIds: [5] });
const over = notice(6, 'unplanned', 'resolved', { componentIds: [4] });
const done = notice(5, 'planned', 'complete', { componentIds: [5] });
const view = viewFor({ components, notices: [over, done, incident, running, upcoming, notice(10, 'general', null)] });

describe('every address', () => {
  test('has a schema', () => {
    expect(aggregatorFaces.map(({ path }) => path)).toEqual(
      Object.keys(aggregatorSchemas).map(path => `api/v2/${path}`),
    );
  });

  test.each(Object.keys(aggregatorSchemas))(
    '%s is as its schema says: in trouble, with nothing on it, with hostile texts, on whole pages',
    async path => {
      const hostile = viewFor({
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
      const bodies = await Promise.all([view, viewFor(), hostile].map(one => read(path, one)));
      expect(bodies.map(({ page }) => page.id)).toEqual(['a1b2c3d4', 'a1b2c3d4', 'a1b2c3d4']);
      const whole = await Promise.all(
        Object.values(situations).map(situation => read(path, viewOfSituation(situation))),
      );
      expect(whole.length).toBeGreaterThan(4);
      expect((await draw(faceOf(path), hostile)).body).not.toMatch(/\\ud[89a-f]/i);
      expect(await draw(faceOf(path), view)).toMatchObject({ type: 'application/json; charset=utf-8' });
    },
  );
});

test('summary.json says what is wrong and what is planned, not what is over', async () => {
  const { page, incidents, scheduled_maintenances, status } = await read('summary.json', view);
  expect(page).toMatchObject({
    name: 'Acme',
    url: 'https://status.example.com',
    time_zone: 'Etc/UTC',
    updated_at: ago(4),
  });
  expect(incidents.map(({ id }: { id: string }) => id)).toEqual(['7']);
  expect(scheduled_maintenances.map(({ id }: { id: string }) => id)).toEqual(['9', '8']);
  expect(status).toEqual({ indicator: 'minor', description: 'Checkout is degraded' });
});

test('the lists hold what their names say', async () => {
  const ids = async (path: string) => {
    const { incidents, scheduled_maintenances } = await read(path, view);
    return (incidents ?? scheduled_maintenances).map(({ id }: { id: string }) => id);
  };
  expect(await ids('incidents.json')).toEqual(['7', '6']);
  expect(await ids('incidents/unresolved.json')).toEqual(['7']);
  expect(await ids('scheduled-maintenances.json')).toEqual(['9', '8', '5']);
  expect(await ids('scheduled-maintenances/upcoming.json')).toEqual(['9']);
  expect(await ids('scheduled-maintenances/active.json')).toEqual(['8']);
});

test('a component that an incident names is in partial outage, what is above or below performs badly, and maintenance is said where no incident is', async () => {
  const { components: all } = await read('components.json', view);
  const said = (
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
  expect(said).toEqual([
    ['Shop', 'degraded_performance', true, null, ['2'], 1],
    ['Checkout', 'partial_outage', true, '1', ['3'], 1],
    ['Cards', 'degraded_performance', false, '2', undefined, 1],
    ['Search', 'under_maintenance', false, null, undefined, 2],
    ['Mail', 'operational', false, null, undefined, 3],
  ]);
});

test('maintenance never hides an incident on the same component', async () => {
  const both = viewFor({
    components,
    notices: [running, notice(11, 'unplanned', 'recovering', { componentIds: [4] })],
  });
  const { components: all, status } = await read('summary.json', both);
  expect(all.find(({ id }: { id: string }) => id === '4').status).toBe('partial_outage');
  expect(status.indicator).toBe('minor');
});

test.each([
  ['nothing', [], 'none', 'All systems operational'],
  ['maintenance', [running], 'maintenance', 'Search is under maintenance'],
  ['an announcement', [notice(10, 'general', null)], 'none', 'All systems operational'],
  [
    'an incident that names nothing',
    [notice(11, 'unplanned', 'investigating')],
    'minor',
    'We are experiencing problems',
  ],
  [
    'one on everything',
    [notice(11, 'unplanned', 'investigating', { componentIds: [1, 4, 5] })],
    'major',
    'All systems are degraded',
  ],
  ['a false alarm', [notice(11, 'unplanned', 'false_alarm', { componentIds: [1] })], 'none', 'All systems operational'],
  [
    'an incident on some and maintenance on the rest',
    [
      notice(11, 'unplanned', 'identified', { componentIds: [1, 4] }),
      notice(12, 'planned', 'underway', { componentIds: [5] }),
    ],
    'minor',
    'Some systems are degraded',
  ],
])('with %s the indicator agrees with the banner', async (_, notices, indicator, description) => {
  expect((await read('status.json', viewFor({ components, notices }))).status).toEqual({ indicator, description });
});

test('an incident on a page without components is not one on all of them', async () => {
  expect(
    (await read('summary.json', viewFor({ notices: [notice(1, 'unplanned', 'investigating')] }))).status.indicator,
  ).toBe('minor');
});

test('the banner is said in the language of the view', async () => {
  const { status } = await read('status.json', viewFor({ locale: 'de' }));
  expect(status.indicator).toBe('none');
});

describe('an incident', () => {
  test.each([
    ['investigating', 'investigating', 'minor'],
    ['identified', 'identified', 'minor'],
    ['recovering', 'monitoring', 'minor'],
    ['resolved', 'resolved', 'minor'],
    ['false_alarm', 'resolved', 'none'],
  ] as const)('that is %s is %s', async (state, status, impact) => {
    const { incidents } = await read(
      'incidents.json',
      viewFor({ components, notices: [notice(1, 'unplanned', state, { componentIds: [4], updates: ['a'] })] }),
    );
    expect(incidents[0]).toMatchObject({ status, impact, incident_updates: [{ status }] });
    expect(incidents[0].monitoring_at).toBe(status === 'monitoring' ? ago(10) : null);
    expect(incidents[0].resolved_at).toBe(status === 'resolved' ? ago(5) : null);
  });

  test('tells its updates newest first, as plain text, with what they meant for the components', async () => {
    const resolved = notice(1, 'unplanned', 'resolved', {
      componentIds: [4],
      updates: ['It *fails*.', 'Found.', 'Done.'],
    });
    const { incidents } = await read('incidents.json', viewFor({ components, notices: [resolved] }));
    const told = incidents[0].incident_updates as {
      body: string;
      status: string;
      affected_components: { old_status: string; new_status: string }[];
    }[];
    expect(
      told.map(({ body, status, affected_components: [hit] }) => [body, status, hit!.old_status, hit!.new_status]),
    ).toEqual([
      ['Done.', 'resolved', 'partial_outage', 'operational'],
      ['Found.', 'investigating', 'partial_outage', 'partial_outage'],
      ['It fails.', 'investigating', 'operational', 'partial_outage'],
    ]);
  });

  test('has an update even when none was written: many programs take the first', async () => {
    const { incidents } = await read(
      'incidents.json',
      viewFor({ notices: [notice(1, 'unplanned', 'investigating', { subject: 'All *new*' })] }),
    );
    expect(incidents[0].incident_updates).toMatchObject([
      { id: 'notice-1', body: 'All *new*', status: 'investigating' },
    ]);
  });

  test('links to its page and began when it began', async () => {
    const { incidents } = await read('incidents.json', view);
    expect(incidents[0]).toMatchObject({
      shortlink: 'https://status.example.com/notices/token00000000007-notice-7',
      started_at: ago(10),
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
  ] as const)('that is %s is %s', async (state, status) => {
    const { scheduled_maintenances } = await read(
      'scheduled-maintenances.json',
      viewFor({ notices: [notice(1, 'planned', state, { updates: ['a', 'b'] })] }),
    );
    expect(scheduled_maintenances[0]).toMatchObject({
      status,
      impact: 'maintenance',
      scheduled_until: ago(-120),
      incident_updates: [{ status }, {}],
    });
  });

  test('an update from before it began told of a plan', async () => {
    const planned = notice(1, 'planned', 'underway', {
      componentIds: [4],
      updates: ['Soon.', 'Now.', 'Still.'],
      beganAt: ago(9),
    });
    const { scheduled_maintenances } = await read(
      'scheduled-maintenances.json',
      viewFor({ components, notices: [planned] }),
    );
    const told = scheduled_maintenances[0].incident_updates as {
      status: string;
      affected_components: { new_status: string }[];
    }[];
    expect(told.map(({ status, affected_components: [hit] }) => [status, hit!.new_status])).toEqual([
      ['in_progress', 'under_maintenance'],
      ['in_progress', 'under_maintenance'],
      ['scheduled', 'operational'],
    ]);
  });
});

test('at most 50 incidents are told, the newest', async () => {
  const many = Array.from({ length: 60 }, (_, index) => notice(index + 1, 'unplanned', 'resolved'));
  const { incidents } = await read('incidents.json', viewFor({ notices: many }));
  expect(incidents).toHaveLength(50);
  expect(incidents[0].id).toBe('60');
});

describe('the summary in the form of Instatus', () => {
  const summary = async (view: PageView) => JSON.parse(await bodyOf(instatusSummary, view));

  test('says what is going on and what is planned, in its words', async () => {
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
          impact: 'PARTIALOUTAGE',
        },
      ],
      activeMaintenances: [
        {
          id: '8',
          name: running.subject,
          status: 'INPROGRESS',
          url: link(8),
          updatedAt: running.updatedAt,
          start: running.beginsAt,
          duration: '130',
        },
        {
          id: '9',
          name: upcoming.subject,
          status: 'NOTSTARTEDYET',
          url: link(9),
          updatedAt: upcoming.updatedAt,
          start: upcoming.beginsAt,
          duration: '60',
        },
      ],
    });
  });

  test.each([
    ['nothing', [], 'UP'],
    ['what is only planned', [upcoming], 'UP'],
    ['maintenance', [running], 'UNDERMAINTENANCE'],
    ['an incident beside maintenance', [running, notice(7, 'unplanned', 'recovering')], 'HASISSUES'],
  ])('the page is, with %s, %s', async (_, notices, status) => {
    expect((await summary(viewFor({ components, notices }))).page.status).toBe(status);
  });

  test('is a major outage when every component is hit', async () => {
    const all = notice(7, 'unplanned', 'recovering', { componentIds: [1, 4, 5] });
    expect((await summary(viewFor({ components, notices: [all] }))).activeIncidents).toMatchObject([
      { impact: 'MAJOROUTAGE', status: 'MONITORING' },
    ]);
  });
});
