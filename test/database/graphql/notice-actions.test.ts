import { beforeEach, describe, expect, test } from '@jest/globals';
import { withPlainLists } from '../../support/graphql-records.js';
import { useService } from '../../support/service.js';
import { codesByField } from '../../support/user-errors.js';

const service = useService();
let page: string;
beforeEach(async () => {
  page = (await ask('mutation { createPage(input: { name: "Ours" }) { page { id } } }')).data.createPage.page.id;
});

const ask = async (query: string) => {
  const { json } = await service.graphql(query);
  return { ...json, data: withPlainLists(json.data) };
};
const shown = `notice { type subject timelineState beganAt endedAt tagList updates { nodes { content isPublished } }
  ... on UnplannedNotice { state } ... on PlannedNotice { state beginsAt endsAt shouldAutomateSchedule reminder } } components { name state } page { state }`;
/** Publishes nothing unless the input says so. */
const act = (verb: string, input: string, id?: string) => {
  const values = input.includes('shouldPublish') ? input : `${input} shouldPublish: false`;
  const target = `pageId: "${page}"${id ? `, id: ${id}` : ''}`;
  return ask(`mutation { ${verb}(${target}, input: { ${values} }) { notice { id } ${shown} } }`);
};
const component = async () =>
  (await ask(`mutation { createComponent(pageId: "${page}", input: { name: "Web" }) { component { id } } }`)).data
    .createComponent.component.id as string;

describe('the actions of notices', () => {
  test('openIncident degrades the components it names', async () => {
    const input = `subject: "Down", content: "We look.", componentIds: [${await component()}], tagList: ["a,b"], shouldPublish: true, state: IDENTIFIED, beganAt: "2020-01-01T00:00:00Z"`;
    expect((await act('openIncident', input)).data.openIncident).toMatchObject({
      notice: {
        type: 'UNPLANNED',
        state: 'IDENTIFIED',
        timelineState: 'PRESENT',
        beganAt: '2020-01-01T00:00:00.000Z',
        tagList: ['a', 'b'],
        updates: [{ content: 'We look.', isPublished: true }],
      },
      components: [{ name: 'Web', state: 'DEGRADED' }],
      page: { state: 'DEGRADED' },
    });
  });

  test('scheduleMaintenance creates a planned notice with a window', async () => {
    const window = 'beginsAt: "2035-01-01T00:00:00Z", endsAt: "2035-01-01T01:00:00Z"';
    expect(
      (
        await act(
          'scheduleMaintenance',
          `subject: "Disks", ${window}, shouldAutomateSchedule: true, reminder: ONE_HOUR`,
        )
      ).data.scheduleMaintenance,
    ).toMatchObject({
      notice: {
        type: 'PLANNED',
        state: 'SCHEDULED',
        timelineState: 'FUTURE',
        beginsAt: '2035-01-01T00:00:00.000Z',
        endsAt: '2035-01-01T01:00:00.000Z',
        shouldAutomateSchedule: true,
        reminder: 'ONE_HOUR',
      },
      page: { state: 'OPERATIONAL' },
    });
  });

  test('announce creates a notice without state and window', async () => {
    expect((await act('announce', 'subject: "A new face"')).data.announce).toMatchObject({
      notice: { type: 'GENERAL', timelineState: 'PAST_RECENT' },
    });
  });

  test('advanceNotice changes the state, with a comment', async () => {
    const { id } = (await act('openIncident', `subject: "Down", componentIds: [${await component()}]`)).data
      .openIncident.notice;
    expect(
      (await act('advanceNotice', 'state: RESOLVED, content: "All is well."', id)).data.advanceNotice,
    ).toMatchObject({
      notice: {
        state: 'RESOLVED',
        timelineState: 'PAST_RECENT',
        updates: [{ content: 'All is well.', isPublished: false }],
      },
      components: [{ name: 'Web', state: 'OPERATIONAL' }],
      page: { state: 'OPERATIONAL' },
    });
  });

  test.each([
    ['openIncident', 'subject: "Down", beganAt: "2035-01-01T00:00:00Z"', { beganAt: ['IN_FUTURE'] }],
    [
      'scheduleMaintenance',
      'subject: "D", beginsAt: "2035-01-01T01:00:00Z", endsAt: "2035-01-01T01:00:00Z"',
      { endsAt: ['BEFORE_START'] },
    ],
    ['announce', 'subject: " "', { subject: ['BLANK'] }],
  ])('%s reports an invalid input, and writes nothing', async (verb, input, fields) => {
    expect(codesByField(await act(verb, input))).toEqual(fields);
    expect((await ask(`{ page(id: "${page}") { notices { nodes { id } } } }`)).data.page.notices).toEqual([]);
  });

  test.each([
    ['openIncident', 'subject: "Down", state: UNDERWAY', 'IncidentState'],
    [
      'scheduleMaintenance',
      'subject: "D", beginsAt: "2035-01-01T00:00:00Z", endsAt: "2035-01-01T01:00:00Z", state: RESOLVED',
      'MaintenanceState',
    ],
  ])('%s accepts no state of another type', async (verb, input, type) => {
    expect((await act(verb, input)).errors).toEqual([
      expect.objectContaining({
        message: expect.stringContaining(`does not exist in "${type}" enum`),
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      }),
    ]);
  });

  test('what is over can be added later, with its times', async () => {
    const times = 'beganAt: "2020-01-01T00:00:00Z", endedAt: "2020-01-01T01:00:00Z"';
    const incident = await act('openIncident', `subject: "Was down", state: FALSE_ALARM, ${times}`);
    const window = 'beginsAt: "2020-01-01T00:00:00Z", endsAt: "2020-01-01T02:00:00Z"';
    const maintenance = await act('scheduleMaintenance', `subject: "New disks", state: COMPLETE, ${window}, ${times}`);
    for (const notice of [incident.data.openIncident.notice, maintenance.data.scheduleMaintenance.notice])
      expect(notice).toMatchObject({ beganAt: '2020-01-01T00:00:00.000Z', endedAt: '2020-01-01T01:00:00.000Z' });
  });

  test('an action takes its subject from the first line of the comment', async () => {
    const window = 'beginsAt: "2035-01-01T00:00:00Z", endsAt: "2035-01-01T01:00:00Z"';
    for (const [verb, more] of [
      ['openIncident', ''],
      ['scheduleMaintenance', window],
      ['announce', ''],
    ] as const) {
      const { data } = await act(verb, `content: "*New* disks\\nMore" ${more}`);
      expect(data[verb].notice).toMatchObject({ subject: 'New disks' });
      expect(codesByField(await act(verb, `tagList: [] ${more}`))).toEqual({ subject: ['BLANK'] });
    }
  });

  describe('what does not belong to the type of a notice is refused', () => {
    const window = 'beginsAt: "2035-01-01T00:00:00Z", endsAt: "2035-01-01T01:00:00Z"';
    const foreign = (fields: string[]) => Object.fromEntries(fields.map(field => [field, ['NOT_APPLICABLE']]));

    test.each([
      [
        'openIncident',
        'subject: "Down"',
        `${window}, shouldAutomateSchedule: false, reminder: ONE_HOUR`,
        foreign(['beginsAt', 'endsAt', 'shouldAutomateSchedule', 'reminder']),
      ],
      [
        'announce',
        'subject: "News"',
        'beginsAt: "2035-01-01T00:00:00Z", reminder: ONE_HOUR, beganAt: "2020-01-01T00:00:00Z", endedAt: "2020-01-01T00:00:00Z"',
        foreign(['beginsAt', 'reminder', 'beganAt', 'endedAt']),
      ],
    ])('of a notice that %s created', async (verb, input, changes, fields) => {
      const { id } = (await act(verb, input)).data[verb].notice;
      expect(codesByField(await act('updateNotice', changes, id))).toEqual(fields);
      const none = 'beginsAt: null, reminder: null, shouldAutomateSchedule: null, endedAt: null';
      expect((await act('updateNotice', none, id)).errors).toBeUndefined();
    });

    test('while /v1 ignores it', async () => {
      const { id } = (await act('openIncident', 'subject: "Down"')).data.openIncident.notice;
      const path = `/v1/pages/${page}/notices/${id}`;
      const changed = await service.patch(path, { begins_at: '2035-01-01', should_automate_schedule: true });
      expect([changed.status, 'begins_at' in changed.json.response]).toEqual([200, false]);
    });
  });

  test.each([
    ['openIncident', 'subject: "Down"'],
    ['scheduleMaintenance', 'subject: "D", beginsAt: "2035-01-01T00:00:00Z", endsAt: "2035-01-02T00:00:00Z"'],
    ['announce', 'subject: "News"'],
    ['advanceNotice', 'state: RESOLVED'],
    ['updateNotice', 'subject: "Down"'],
  ])('%s asks whether to publish', async (verb, input) => {
    const id = /Notice/.test(verb) ? ', id: 1' : '';
    expect(await ask(`mutation { ${verb}(pageId: "${page}"${id}, input: { ${input} }) { notice { id } } }`)).toEqual({
      errors: [
        expect.objectContaining({
          message: expect.stringMatching(
            /^Field "\w+Input\.shouldPublish" of required type "Boolean!" was not provided/,
          ),
        }),
      ],
    });
  });

  test('createNotice and the second spellings of /v1 are not in the schema', async () => {
    const { data } = await ask(`{ __schema { types { name inputFields { name } } mutationType { fields { name } } } }`);
    const names = JSON.stringify(data);
    for (const name of ['createNotice"', 'V1', 'initialComment', 'additionalComment', 'beginsAtDate', 'stateEvent'])
      expect(names).not.toContain(name);
  });

  test('advanceNotice accepts only states of the type, and none for announcements', async () => {
    const { id } = (await act('announce', 'subject: "A new face"')).data.announce.notice;
    expect(codesByField(await act('advanceNotice', 'state: RESOLVED', id))).toEqual({ state: ['NOT_APPLICABLE'] });
  });
});
