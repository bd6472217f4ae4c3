import { beforeAll, describe, expect, test } from '@jest/globals';
import { scopes } from '../../../src/auth/token.service.js';
import { createComponent, createPage } from '../../support/factories.js';
import { createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { type TestRequest, useService } from '../../support/service.js';
import { createToken } from '../../support/tokens.js';

/** The API of Statuspage for programs: requests as its documentation and its public clients send them. */
const service = useService();
let page: string;
let web: string;
let mail: string;
beforeAll(async () => {
  page = (await createPage(service, { name: 'Meridian' })).id;
  web = String((await createComponent(service, `/v1/pages/${page}`, { name: 'Web' })).id);
  mail = String((await createComponent(service, `/v1/pages/${page}`, { name: 'Mail' })).id);
});

const call = (method: string, path: string, request: TestRequest = {}) =>
  service.call(method, `/api/v1/statuspage/pages/${page}/${path}`, {
    token: null,
    ...request,
    headers: { authorization: `OAuth ${service.tokens.write}`, ...request.headers },
  });
const send = (method: string, path: string, json?: object) => call(method, path, { json });
const statusOf = async (id: string) => (await call('GET', `components/${id}`)).json.status;
const publicationsOf = async (id: string) => {
  const { json } = await service.graphql(`{ publications(pageId: "${page}", first: 100) { nodes { notice { id } } } }`);
  return json.data.publications.nodes.filter((node: { notice: { id: string } | null }) => node.notice?.id === id)
    .length;
};

describe('incidents', () => {
  test('one is opened, updated and resolved', async () => {
    const opened = await send('POST', 'incidents', {
      incident: {
        name: 'Web is down',
        status: 'investigating',
        body: 'We look **into** it.',
        impact_override: 'critical',
        component_ids: [web],
        components: { [web]: 'major_outage' },
      },
    });
    expect([opened.status, opened.json]).toMatchObject([
      201,
      {
        name: 'Web is down',
        status: 'investigating',
        impact: 'critical',
        page_id: page,
        resolved_at: null,
        incident_updates: [{ body: 'We look **into** it.', status: 'investigating', deliver_notifications: true }],
        components: [{ id: web, name: 'Web', status: 'major_outage' }],
      },
    ]);
    const { id } = opened.json;
    expect(await statusOf(web)).toBe('major_outage');
    expect(await publicationsOf(id)).toBe(1);

    // Another component, and less of the first one.
    const identified = await send('PATCH', `incidents/${id}`, {
      incident: {
        status: 'identified',
        body: 'A disk.',
        components: { [web]: 'partial_outage', [mail]: 'degraded_performance' },
      },
    });
    expect([identified.status, identified.json]).toMatchObject([
      200,
      {
        status: 'identified',
        impact: 'major',
        incident_updates: [{ body: 'A disk.' }, {}],
        components: [{ id: web }, { id: mail }],
      },
    ]);
    expect([await statusOf(web), await statusOf(mail)]).toEqual(['partial_outage', 'degraded_performance']);

    // A component that is operational again stays named, and a new name is no news.
    const renamed = await send('PUT', `incidents/${id}`, {
      incident: { name: 'Web was slow', components: { [mail]: 'operational' } },
    });
    expect(renamed.json).toMatchObject({
      name: 'Web was slow',
      impact: 'major',
      components: [
        { id: web, status: 'partial_outage' },
        { id: mail, status: 'operational' },
      ],
    });
    expect(await statusOf(mail)).toBe('operational');
    expect(await publicationsOf(id)).toBe(2);

    const monitoring = await send('PATCH', `incidents/${id}.json`, {
      incident: { status: 'monitoring', deliver_notifications: false },
    });
    expect(monitoring.json).toMatchObject({ status: 'monitoring', monitoring_at: expect.any(String) });
    expect(await publicationsOf(id)).toBe(2);

    const resolved = await send('PATCH', `incidents/${id}`, {
      incident: { status: 'resolved', body: 'It works.', components: { [web]: 'operational' } },
    });
    expect(resolved.json).toMatchObject({
      status: 'resolved',
      resolved_at: expect.any(String),
      components: [{ id: web }, { id: mail }],
    });
    expect([await statusOf(web), await publicationsOf(id)]).toEqual(['operational', 3]);
    expect((await call('GET', `incidents/${id}`)).json).toEqual(resolved.json);
    expect((await call('GET', 'incidents?q=was+slow&limit=1')).json).toEqual([resolved.json]);
    expect((await call('GET', 'incidents/unresolved')).json).toEqual([]);

    expect(await call('DELETE', `incidents/${id}`)).toMatchObject({ status: 200, json: { id, status: 'resolved' } });
    expect((await call('GET', `incidents/${id}`)).status).toBe(404);
  });

  test('one whose component is said to be operational goes to the subscribers of that component alone', async () => {
    const own = await createPublishingPage(service, {}, []);
    const one = await own.component('Payments');
    const two = await own.component('Search');
    for (const [name, ids] of Object.entries({ a: [one], b: [two], c: [] }))
      await own.subscribe(`${name}@example.com`, ids);
    const path = `/api/v1/statuspage/pages/${own.id}/incidents`;
    const components = { [one]: 'operational' };
    const addresses = async () => {
      await fanOutAll(service.database);
      const rows = await own.deliveries();
      await service.database.query(
        "update delivery set state = 'sent', sent_at = clock_timestamp() where page_id = $1",
        [own.id],
      );
      return rows.filter(({ state }) => state === 'pending').map(({ address }) => address);
    };
    const opened = await service.post(path, {
      incident: { name: 'Errors', status: 'investigating', body: 'We look.', component_ids: [String(one)], components },
    });
    expect(await addresses()).toEqual(['a@example.com', 'c@example.com']);
    for (const status of ['monitoring', 'resolved']) {
      const { json } = await service.patch(`${path}/${opened.json.id}`, {
        incident: { status, body: 'So.', components },
      });
      expect(json.components).toMatchObject([{ id: String(one) }]);
      expect(await addresses()).toEqual(['a@example.com', 'c@example.com']);
    }
  });

  test('one whose components are all unknown goes to the subscribers of everything', async () => {
    const own = await createPublishingPage(service, {}, []);
    const one = await own.component('Payments');
    const two = await own.component('Search');
    for (const [name, ids] of Object.entries({ a: [one], b: [two], c: [] }))
      await own.subscribe(`${name}@example.com`, ids);
    const path = `/api/v1/statuspage/pages/${own.id}/incidents`;
    const addresses = async () => {
      await fanOutAll(service.database);
      const rows = await own.deliveries();
      await service.database.query(
        "update delivery set state = 'sent', sent_at = clock_timestamp() where page_id = $1",
        [own.id],
      );
      return rows.filter(({ state }) => state === 'pending').map(({ address }) => address);
    };
    const incident = { name: 'Errors', body: 'We look.', component_ids: ['999999999'] };
    const opened = await service.post(path, { incident });
    expect([opened.status, opened.json.components]).toEqual([201, []]);
    expect(opened.json.warnings).toContain(
      'No component is named, so subscribers who chose components are not notified, unless they were before.',
    );
    expect(await addresses()).toEqual(['c@example.com']);
    const item = `${path}/${opened.json.id}`;
    await service.patch(item, { incident: { body: 'So.', component_ids: ['999999999'] } });
    expect(await addresses()).toEqual(['c@example.com']);
    await service.patch(item, { incident: { body: 'It is one.', component_ids: ['999999999', String(one)] } });
    expect(await addresses()).toEqual(['a@example.com', 'c@example.com']);
    const window = { scheduled_for: '2035-01-01T00:00:00Z', scheduled_until: '2035-01-01T01:00:00Z' };
    await service.post(path, { incident: { ...incident, ...window } });
    expect(await addresses()).toEqual(['c@example.com']);
    // One that names none is about everything.
    await service.post(path, { incident: { ...incident, component_ids: [] } });
    expect(await addresses()).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
  });

  test('maintenance has a reminder, both switches and the metadata as they were sent', async () => {
    const incident = {
      name: 'New disks',
      scheduled_for: '2035-01-01T00:00:00.000Z',
      scheduled_until: '2035-01-01T01:00:00.000Z',
      scheduled_remind_prior: true,
      scheduled_auto_in_progress: true,
      scheduled_auto_completed: false,
      auto_transition_to_maintenance_state: true,
      impact_override: 'maintenance',
      metadata: { jira: { key: 'OPS-1' } },
    };
    const { json } = await send('POST', 'incidents', { incident });
    expect(json).toMatchObject(incident);
    const path = `incidents/${json.id}`;
    const { json: same } = await send('PATCH', path, { incident });
    expect([same, same.warnings]).toMatchObject([incident, undefined]);
    const { json: stored } = await service.graphql(
      `{ notice(id: "${json.id}") { metadata ... on PlannedNotice { reminder shouldAutomateSchedule } } }`,
    );
    expect(stored.data.notice).toMatchObject({ reminder: 'ONE_HOUR', shouldAutomateSchedule: true });
    // What another program keeps stays.
    const metadata = { ...stored.data.notice.metadata, pager: 7 };
    await service.graphql(
      `mutation($metadata: JSON) {
         updateNotice(id: "${json.id}", input: { shouldPublish: false, metadata: $metadata }) { notice { id } } }`,
      { metadata },
    );
    const { json: silent } = await send('PATCH', path, { incident: { scheduled_remind_prior: false } });
    expect(silent).toMatchObject({ scheduled_remind_prior: false, metadata: { ...incident.metadata, pager: 7 } });
    const { json: replaced } = await send('PATCH', path, {
      incident: { metadata: {}, scheduled_auto_in_progress: false },
    });
    expect(replaced).toMatchObject({ metadata: {}, scheduled_auto_in_progress: false, impact_override: 'maintenance' });
    await send('DELETE', path);
  });

  test('programs that each name a component at the same time are all heard', async () => {
    const { json } = await send('POST', 'incidents', {
      incident: { name: 'Everything', deliver_notifications: false },
    });
    const names = ['A', 'B', 'C', 'D'];
    const create = (name: string) => createComponent(service, `/v1/pages/${page}`, { name });
    const components = await Promise.all(names.map(create));
    const statuses = await Promise.all(
      components.map(async ({ id }) => {
        const incident = { components: { [id]: 'partial_outage' } };
        return (await send('PATCH', `incidents/${json.id}`, { incident })).status;
      }),
    );
    expect(statuses).toEqual([200, 200, 200, 200]);
    const after = await call('GET', `incidents/${json.id}`);
    expect(after.json.components.map(({ name }: { name: string }) => name).sort()).toEqual(names);
    await send('DELETE', `incidents/${json.id}`);
    for (const { id } of components) await call('DELETE', `components/${id}`);
  });

  test('ids in one text, with commas between them, are several', async () => {
    const form = `incident[name]=Down&incident[status]=resolved&incident[component_ids]=${web},%20${mail}`;
    const { json } = await call('POST', 'incidents', { form });
    expect(json.components.map(({ id }: { id: string }) => id)).toEqual([web, mail]);
  });

  test('a form is read as JSON is', async () => {
    const form = `incident[name]=Slow&incident[message]=Hm.&incident[components][]=${web}&incident[components][]=${mail}&incident[deliver_notifications]=f`;
    const { status, json } = await call('POST', 'incidents.json', { form });
    expect([status, json]).toMatchObject([
      201,
      {
        impact: 'minor',
        incident_updates: [{ body: 'Hm.', deliver_notifications: false }],
        components: [{ id: web }, { id: mail }],
      },
    ]);
    // A list of ids keeps the impact of those that it goes on naming.
    await send('PATCH', `incidents/${json.id}`, { incident: { components: { [web]: 'major_outage' } } });
    const changed = await send('PATCH', `incidents/${json.id}`, { incident: { component_ids: [web] } });
    expect(changed.json).toMatchObject({ impact: 'critical', components: [{ id: web }] });
    await send('DELETE', `incidents/${json.id}`);
  });

  test('maintenance is scheduled, and is under way as verifying', async () => {
    const times = { scheduled_for: '2035-01-01T00:00:00Z', scheduled_until: '2035-01-01T01:00:00.000Z' };
    const { json } = await send('POST', 'incidents', {
      incident: { name: 'New disks', ...times, scheduled_auto_in_progress: true, component_ids: [mail] },
    });
    expect(json).toMatchObject({
      status: 'scheduled',
      impact: 'maintenance',
      scheduled_for: '2035-01-01T00:00:00.000Z',
      scheduled_auto_in_progress: true,
      scheduled_auto_completed: true,
      components: [{ id: mail }],
    });
    expect((await call('GET', 'incidents/upcoming')).json).toMatchObject([{ id: json.id }]);
    const moved = await send('PATCH', `incidents/${json.id}`, {
      incident: { scheduled_until: '2035-01-01T02:00:00Z' },
    });
    expect(moved.json.scheduled_until).toBe('2035-01-01T02:00:00.000Z');
    const verifying = await send('PATCH', `incidents/${json.id}`, {
      incident: { status: 'verifying', component_ids: [web] },
    });
    expect(verifying.json).toMatchObject({
      status: 'in_progress',
      components: [{ id: web, status: 'under_maintenance' }],
    });
    expect((await call('GET', 'incidents/active_maintenance')).json).toMatchObject([{ id: json.id }]);
    expect((await call('GET', 'incidents/scheduled')).json).toMatchObject([{ id: json.id }]);
    expect((await send('PATCH', `incidents/${json.id}`, { incident: { status: 'completed' } })).json.status).toBe(
      'completed',
    );
    const open = await send('POST', 'incidents', { incident: { name: 'X', scheduled_for: times.scheduled_for } });
    expect([open.status, open.json]).toEqual([422, { error: ["scheduled_until can't be blank"] }]);
    const wrong = await send('POST', 'incidents', { incident: { name: 'X', ...times, scheduled_for: 'soon' } });
    expect([wrong.status, wrong.json.error]).toEqual([400, expect.stringContaining('ISO 8601')]);
  });

  test('one of the past is resolved, and nobody is notified', async () => {
    const { json } = await send('POST', 'incidents', {
      incident: { name: 'Long ago', backfilled: true, backfill_date: '2024-05-01', body: 'It was.' },
    });
    expect(json).toMatchObject({
      status: 'resolved',
      started_at: '2024-05-01T00:00:00.000Z',
      resolved_at: '2024-05-01T00:00:00.000Z',
    });
    expect(await publicationsOf(json.id)).toBe(0);
  });

  test('an announcement has no counterpart', async () => {
    const { json } = await service.graphql(
      `mutation { announce(pageId: "${page}", input: { subject: "Hello", shouldPublish: false }) { notice { id } } }`,
    );
    const { id } = json.data.announce.notice;
    expect((await call('GET', `incidents/${id}`)).status).toBe(404);
    expect((await send('PATCH', `incidents/${id}`, { incident: { name: 'X' } })).status).toBe(404);
    expect((await call('DELETE', `incidents/${id}`)).status).toBe(404);
    expect((await call('GET', 'incidents')).json.map((incident: { name: string }) => incident.name)).not.toContain(
      'Hello',
    );
  });

  test.each(['scheduled', 'In_Progress'])('none is opened for the status %s without scheduled_for', async status => {
    const answer = await send('POST', 'incidents', { incident: { name: 'Work', status } });
    expect([answer.status, JSON.stringify(answer.json)]).toEqual([422, expect.stringContaining('scheduled_for')]);
  });

  test('one with a day of the past is of that day, also where backfilled cannot be read', async () => {
    const { status, json } = await send('POST', 'incidents', {
      incident: { name: 'Past', backfilled: '2024-05-01', backfill_date: '2024-05-01' },
    });
    expect([status, json]).toMatchObject([201, { status: 'resolved', started_at: '2024-05-01T00:00:00.000Z' }]);
  });

  test('one is opened without the details that cannot be taken, which the response names', async () => {
    const { status, headers, json } = await send('POST', 'incidents', {
      incident: {
        name: 'n'.repeat(300),
        body: 'b'.repeat(70_000),
        status: 'down',
        deliver_notifications: 'sure',
        component_ids: [web, '999999999', 'web'],
        components: { [web]: 'broken' },
        metadata: 'X-1',
        tweet: 'X',
        impact_override: null,
        mesage: 'Hm',
        scheduled_until: '2035-01-01',
      },
    });
    expect([status, json]).toMatchObject([
      201,
      {
        name: `${'n'.repeat(254)}…`,
        status: 'investigating',
        impact: 'minor',
        components: [{ id: web }],
        incident_updates: [{ body: `${'b'.repeat(65_534)}…`, deliver_notifications: false }],
        warnings: expect.arrayContaining([
          'name was cut: it can have 255 characters.',
          'body was cut: it can have 65,535 characters.',
          'status was ignored: "down" is none of investigating, identified, monitoring, resolved, completed, postmortem.',
          expect.stringContaining('components was ignored: "broken" is none of operational, '),
          '"999999999" was left out: the page has no component with this id.',
          '"web" was left out: the page has no component with this id.',
          'metadata was ignored: it must be an object.',
          'tweet was ignored.',
          'mesage was ignored. Did you mean message?',
          'scheduled_until was ignored: it is for maintenance, which has scheduled_for.',
          'deliver_notifications: "sure" is neither true nor false, so nobody is notified.',
        ]),
      },
    ]);
    expect(json.warnings).toHaveLength(11);
    expect(headers.get('warning')).toContain('299 - "tweet was ignored."');
    const path = `incidents/${json.id}`;
    const updated = await send('PATCH', path, { incident: { body: 'B', component_ids: ['7777777'], status: 'done' } });
    expect(updated).toMatchObject({ status: 200, json: { status: 'investigating', components: [] } });
    expect(updated.json.warnings).toHaveLength(3);
    const alone = await send('PATCH', path, { incident: { status: 'done' } });
    expect([alone.status, alone.json.error]).toEqual([422, ['status is not included in the list']]);
    // What it was read as is no warning.
    const { json: read } = await call('GET', path);
    const { updated_at: _, ...whole } = read;
    const again = await send('PATCH', path, { incident: whole });
    expect(again).toMatchObject({ status: 200, json: whole });
    expect(again.json.warnings).toBeUndefined();
    await send('PATCH', path, { incident: { status: 'completed' } });
    expect((await call('GET', path)).json.status).toBe('resolved');
    await call('DELETE', path);
  });

  test('JSON is read without a type, and in a form as curl sends it; another type is refused', async () => {
    const text = JSON.stringify({ incident: { name: 'Slow = 1 & more', deliver_notifications: false } });
    const open = (type: string | undefined) =>
      fetch(`${service.url}/api/v1/statuspage/pages/${page}/incidents`, {
        method: 'POST',
        body: new TextEncoder().encode(text),
        headers: { authorization: `OAuth ${service.tokens.write}`, ...(type && { 'content-type': type }) },
      });
    for (const type of [undefined, 'application/x-www-form-urlencoded']) {
      const response = await open(type);
      const { id, name } = await response.json();
      expect([response.status, name]).toEqual([201, 'Slow = 1 & more']);
      await call('DELETE', `incidents/${id}`);
    }
    const refused = await open('text/plain');
    const types = 'application/json, application/x-www-form-urlencoded, multipart/form-data';
    expect([refused.status, refused.headers.get('accept-post'), await refused.json()]).toEqual([
      415,
      types,
      { error: `The body must have one of these types, in the header Content-Type: ${types}.` },
    ]);
  });

  test('what is wrong is said in the names of Statuspage', async () => {
    const refuse = async (incident: object) => {
      const { status, json } = await send('POST', 'incidents', { incident });
      return [status, json.error];
    };
    expect(await refuse({ body: '' })).toEqual([422, ["name can't be blank"]]);
    expect(await refuse({ name: { nested: true } })).toEqual([422, ['name is invalid']]);
    expect(await refuse({ name: 'X', component_ids: [{ id: web }] })).toEqual([422, ['component_ids is invalid']]);
    expect(await refuse({ name: 'X', components: { [web]: ['x'] } })).toEqual([422, ['components is invalid']]);
    expect(await refuse({ name: 'X', backfilled: 't' })).toEqual([422, ["backfill_date can't be blank"]]);
    const future = { name: 'X', backfilled: 't', backfill_date: '2999-01-01' };
    expect(await refuse(future)).toEqual([422, ['backfill_date is invalid']]);
    const everything = await send('POST', 'subscribers', {
      subscriber: { email: 'b@example.com', component_ids: [{}] },
    });
    expect([everything.status, everything.json.error]).toEqual([422, ['component_ids is invalid']]);
    const unwrapped = await send('POST', 'incidents', { name: 'X' });
    expect([unwrapped.status, unwrapped.json.error]).toEqual([
      400,
      'The body must have the fields of the incident below "incident": {"incident": {...}}, or incident[...]= in a form.',
    ]);
  });
});

describe('components', () => {
  test('one is created in a group, renamed and deleted', async () => {
    const created = await send('POST', 'components', {
      component: { name: 'Search', description: 'Full text', group_id: web, status: 'partial_outage' },
    });
    expect([created.status, created.json]).toMatchObject([
      201,
      {
        name: 'Search',
        description: 'Full text',
        group_id: web,
        group: false,
        status: 'partial_outage',
        page_id: page,
      },
    ]);
    const path = `components/${created.json.id}`;
    const renamed = await send('PATCH', path, { component: { name: 'Find', group_id: '' } });
    expect(renamed).toMatchObject({ status: 200, json: { name: 'Find', group_id: null, status: 'partial_outage' } });
    expect((await call('GET', 'components?per_page=2&page=2')).json).toMatchObject([{ name: 'Find' }]);
    expect(await call('DELETE', path)).toMatchObject({ status: 204, text: '' });
    expect((await call('GET', path)).status).toBe(404);
  });

  test('one that is sent back whole during an incident has no manual status after it', async () => {
    const { json: shop } = await send('POST', 'components', { component: { name: 'Shop' } });
    const { json: incident } = await send('POST', 'incidents', {
      incident: { name: 'Slow', components: { [shop.id]: 'partial_outage' }, deliver_notifications: false },
    });
    const path = `components/${shop.id}`;
    const { json: shown } = await call('GET', path);
    expect(shown.status).toBe('partial_outage');
    const changed = await send('PUT', path, { component: { ...shown, description: 'Carts' } });
    expect(changed.json).toMatchObject({ description: 'Carts', status: 'partial_outage' });
    await send('PATCH', `incidents/${incident.id}`, { incident: { status: 'resolved' } });
    expect(await statusOf(shop.id)).toBe('operational');
  });

  test('one whose id has ten digits is put into a group, which cannot be in itself', async () => {
    const sequence = `pg_get_serial_sequence('component', 'id')`;
    const [first] = await service.database.query<{ before: string }>(`select nextval(${sequence}) as before`);
    await service.database.query(`select setval(${sequence}, 1999999000)`);
    const { json: large } = await send('POST', 'components', { component: { name: 'Large' } });
    await service.database.query(`select setval(${sequence}, ${first!.before})`);
    expect(large.id).toBe('1999999001');
    const created = await send('POST', 'component-groups', {
      component_group: { name: 'Group', components: [large.id] },
    });
    expect([created.status, created.json]).toMatchObject([201, { components: [large.id] }]);
    const { id } = created.json;
    const inner = await send('POST', 'component-groups', { component_group: { name: 'Inner', components: [] } });
    await send('PATCH', `component-groups/${id}`, { component_group: { components: [large.id, inner.json.id] } });
    for (const [group, components] of [
      [id, [id]],
      [inner.json.id, [id]],
    ]) {
      const path = `component-groups/${group}`;
      const { name } = (await call('GET', path)).json;
      const refused = await send('PATCH', path, { component_group: { name: 'Renamed', components } });
      expect([refused.status, refused.json.error]).toEqual([
        422,
        [`components cannot have the group itself or those it is in: "${id}"`],
      ]);
      expect((await call('GET', path)).json.name).toBe(name);
    }
    for (const each of [large.id, inner.json.id, id]) await call('DELETE', `components/${each}`);
  });

  test.each(['degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance'])(
    'a status is set by hand, and operational takes it back: %s',
    async status => {
      // As the npm package statuspage sends it, whose address ends before the version.
      const path = `/api/v1/statuspage/v1/pages/${page}/components/${mail}.json`;
      const headers = { authorization: `OAuth ${service.tokens.write}` };
      const set = await service.call('PATCH', path, { token: null, headers, form: `component[status]=${status}` });
      expect([set.status, set.json.status]).toEqual([200, status]);
      const cleared = await send('PUT', `components/${mail}`, { component: { status: 'operational' } });
      expect(cleared.json.status).toBe('operational');
      const { json } = await service.graphql(`{ component(id: "${mail}") { manualStatus { status } } }`);
      expect(json.data.component.manualStatus).toBeNull();
    },
  );
});

test('subscribers are added, listed, changed and deleted, and nobody gets a message', async () => {
  const add = (subscriber: object) => send('POST', 'subscribers', { subscriber });
  const added = await add({ email: 'ann@example.com', component_ids: [web] });
  expect([added.status, added.json]).toMatchObject([
    201,
    { mode: 'email', email: 'ann@example.com', components: [web] },
  ]);
  expect((await add({ phone_number: '+44 7911 123456' })).json).toMatchObject({
    mode: 'sms',
    phone_number: '+447911123456',
  });
  const again = await add({ email: 'ANN@example.com' });
  expect([again.status, again.json.error]).toEqual([422, ['email has already been taken']]);
  const path = `subscribers/${added.json.id}`;
  expect((await send('PATCH', path, { subscriber: { component_ids: [mail] } })).json.components).toEqual([mail]);
  expect((await call('GET', path)).json).toMatchObject({ id: added.json.id, components: [mail] });
  expect((await call('GET', 'subscribers?limit=1')).json).toHaveLength(1);
  // As in Statuspage, the first page of subscribers is 0.
  const first = await call('GET', 'subscribers?limit=1&page=0');
  const second = await call('GET', 'subscribers?limit=1&page=1');
  expect(new Set([first.json[0].id, second.json[0].id]).size).toBe(2);
  const addresses = async (query: string) =>
    (await call('GET', `subscribers?${query}`)).json.map((one: { email: string; phone_number: string }) => [
      ...[one.email, one.phone_number].filter(Boolean),
    ]);
  expect(await addresses('type=email&q=ANN')).toEqual([['ann@example.com']]);
  expect(await addresses('type=sms&state=active')).toEqual([['+447911123456']]);
  expect(await addresses('q=7911+12')).toEqual([['+447911123456']]);
  expect(await addresses('state=quarantined')).toEqual([]);
  const slack = await call('GET', 'subscribers?type=slack');
  expect([slack.status, slack.json.error]).toEqual([422, ['type is not included in the list']]);
  const unknown = await call('GET', 'subscribers?sort_by=primary');
  expect([unknown.status, unknown.json.error]).toEqual([
    400,
    'There is no parameter "sort_by" here. There are: ' +
      'page, per_page, limit, q, type, state, sort_field, sort_direction.',
  ]);
  // As clients send that send all parameters.
  const emails = async (query: string) =>
    (await call('GET', `subscribers?${query}`)).json.map((one: { email: string }) => one.email);
  await add({ email: 'bob@example.com' });
  const all = 'type=email&state=active&limit=100&page=0&sort_field=created_at';
  expect(await emails(`${all}&sort_direction=asc`)).toEqual(['ann@example.com', 'bob@example.com']);
  expect(await emails(`${all}&sort_direction=desc`)).toEqual(['bob@example.com', 'ann@example.com']);
  const primary = await call('GET', 'subscribers?sort_field=primary&sort_direction=asc&type=email');
  expect([primary.json.length, primary.headers.get('warning')]).toEqual([
    2,
    expect.stringContaining('sort_field primary has no effect'),
  ]);
  expect((await call('GET', 'subscribers/count')).json).toEqual({ email: 2, sms: 1, webhook: 0 });
  expect((await call('GET', 'subscribers/count?type=sms&state=quarantined')).json).toEqual({ sms: 0 });
  expect((await call('GET', 'components?page=two')).status).toBe(400);
  const german = await add({ phone_number: '01712345678', phone_country: 'DE', skip_confirmation_notification: false });
  expect(german.json).toMatchObject({
    phone_number: '+491712345678',
    warnings: ['skip_confirmation_notification was ignored: no confirmation is sent.'],
  });
  expect(await call('DELETE', path)).toMatchObject({ status: 200, json: { email: 'ann@example.com' } });
  expect((await call('GET', path)).status).toBe(404);
});

test('ids of Statuspage lead to the records that were imported from there', async () => {
  const own = (await createPage(service)).id;
  const path = `/v1/pages/${own}`;
  const [one, two] = [
    await createComponent(service, path, { name: 'One' }),
    await createComponent(service, path, { name: 'Two' }),
  ];
  const list = `/api/v1/statuspage/pages/${own}`;
  const { json: notice } = await service.post(`${list}/incidents`, { incident: { name: 'Old', status: 'resolved' } });
  for (const [kind, sourceId, id] of [
    ['component', 'kctbh9vrtdwd', one.id],
    ['component', 'a1b2c3d4e5f6', two.id],
    ['component', 'gone00000000', 999_999_999],
    ['notice', 'p31zjtct2jer', notice.id],
  ])
    await service.database.query("insert into import_source values ($1, 'statuspage', $2, $3, $4, '')", [
      own,
      kind,
      sourceId,
      id,
    ]);
  const incident = {
    name: 'Slow',
    component_ids: ['kctbh9vrtdwd', 'a1b2c3d4e5f6', 'gone00000000'],
    components: { kctbh9vrtdwd: 'major_outage' },
  };
  const { json } = await service.post(`${list}/incidents`, { incident });
  const statuses = json.components.map(({ name, status }: { name: string; status: string }) => [name, status]);
  expect(statuses).toEqual([
    ['One', 'major_outage'],
    ['Two', 'degraded_performance'],
  ]);
  expect(json.warnings).toEqual(['"gone00000000" was left out: the page has no component with this id.']);
  expect((await service.get(`${list}/incidents/p31zjtct2jer`)).json).toMatchObject({ id: notice.id, name: 'Old' });
  const moved = await service.patch(`${list}/components/a1b2c3d4e5f6.json`, {
    component: { group_id: 'kctbh9vrtdwd' },
  });
  expect(moved.json).toMatchObject({ id: String(two.id), group_id: String(one.id) });
  const group = { name: 'Group', components: ['a1b2c3d4e5f6', 'kctbh9vrtdwd'] };
  const { json: created } = await service.post(`${list}/component-groups`, { component_group: group });
  expect(created.components).toEqual([String(two.id), String(one.id)]);
  // Those of one page are no ids of another.
  const importedOn = async (id: string) =>
    (await service.graphql(`{ importedRecords(pageId: "${id}", sourceIds: ["kctbh9vrtdwd"]) { recordId } }`)).json.data;
  expect(await importedOn(own)).toEqual({ importedRecords: [{ recordId: String(one.id) }] });
  expect(await importedOn(page)).toEqual({ importedRecords: [] });
  expect((await call('GET', 'components/kctbh9vrtdwd')).status).toBe(404);
});

test('the pages of the caller are listed, below the address that clients have, too', async () => {
  const token = await createToken(service.database, 'statuspage', { role: 'publisher', pageIds: [page] });
  const headers = { authorization: `oauth ${token}` };
  const { json } = await service.get('/api/v1/statuspage/v1/pages', { token: null, headers });
  expect(json).toMatchObject([{ id: page, name: 'Meridian', time_zone: 'UTC' }]);
  const one = await service.get(`/api/v1/statuspage/v1/pages/${page}.json`, { token: null, headers });
  expect(one.json).toEqual(json[0]);
});

test('a subscriber with an endpoint is a webhook, which comes back as it went in', async () => {
  const sent = { email: 'ops@example.com', endpoint: 'https://hooks.example.com/status?key=1' };
  const list = 'subscribers?type=webhook';
  const created = await send('POST', 'subscribers', { subscriber: { ...sent, component_ids: [web] } });
  expect([created.status, created.json]).toMatchObject([201, { ...sent, mode: 'webhook', components: [web] }]);
  const path = `subscribers/${created.json.id}`;
  expect((await call('GET', path)).json).toEqual(created.json);
  expect((await call('GET', list)).json).toEqual([created.json]);
  expect((await call('GET', 'subscribers/count?type=webhook')).json).toEqual({ webhook: 1 });
  expect((await call('GET', 'subscribers?q=ops@')).json).toEqual([]);
  const { json } = await service.graphql(`{ webhooks(pageId: "${page}") { nodes { format host contact } } }`);
  expect(json.data.webhooks.nodes).toEqual([
    { format: 'STATUSPAGE', host: 'hooks.example.com', contact: 'ops@example.com' },
  ]);
  const changed = await send('PATCH', path, { subscriber: { component_ids: [] } });
  expect(changed.json).toEqual({ ...created.json, components: [] });
  const wrong = await send('POST', 'subscribers', { subscriber: { email: 'x', endpoint: 'ftp://example.com' } });
  expect([wrong.status, wrong.json.error.toSorted()]).toEqual([422, ['email is invalid', 'endpoint is invalid']]);
  const both = await send('POST', 'subscribers', { subscriber: { ...sent, phone_number: '+15005550006' } });
  expect([both.status, both.json.error]).toEqual([
    422,
    ['phone_number cannot stand beside endpoint: create a subscriber for each'],
  ]);
  const numbered = await send('PATCH', path, { subscriber: { ...changed.json, phone_number: '+15005550006' } });
  expect(numbered.json.warnings).toEqual(['phone_number was ignored: a subscriber with an endpoint has no number.']);
  const { json: person } = await send('POST', 'subscribers', { subscriber: { email: 'person@example.com' } });
  const { json: same } = await send('PATCH', `subscribers/${person.id}`, { subscriber: { ...person, ...sent } });
  expect([same.endpoint, same.warnings]).toEqual([
    null,
    ['endpoint was ignored: only a subscriber that was created with one has an endpoint.'],
  ]);
  await call('DELETE', `subscribers/${person.id}`);
  // A viewer of secrets must be an owner.
  const token = await createToken(service.database, 'publisher', { role: 'publisher', pageIds: [page] });
  const headers = { authorization: `OAuth ${token}` };
  expect((await call('GET', list, { headers })).status).toBe(403);
  expect(await call('DELETE', path)).toMatchObject({ status: 200, json: { endpoint: sent.endpoint } });
  expect((await call('GET', path)).status).toBe(404);
});

test('an update of an incident is corrected, and a post-mortem is read', async () => {
  const { json } = await send('POST', 'incidents', {
    incident: { name: 'Slow', body: 'We loook.', deliver_notifications: false },
  });
  const path = `incidents/${json.id}`;
  const [update] = json.incident_updates;
  const { json: corrected, status } = await send('PATCH', `${path}/incident_updates/${update.id}`, {
    incident_update: { body: 'We look.', deliver_notifications: true, wants_twitter_update: false },
  });
  expect([status, corrected]).toMatchObject([200, { ...update, body: 'We look.', updated_at: expect.any(String) }]);
  expect(corrected.warnings).toEqual([
    'deliver_notifications was ignored: a changed text notifies nobody.',
    'wants_twitter_update was ignored.',
  ]);
  expect((await send('PATCH', `${path}/incident_updates/999999999`, { incident_update: { body: 'X' } })).status).toBe(
    404,
  );
  expect((await call('GET', `${path}/postmortem`)).status).toBe(404);
  await send('PATCH', path, { incident: { status: 'resolved' } });
  await service.graphql(
    `mutation { createNoticeUpdate(noticeId: "${json.id}", input: {
       content: "It was a disk.", kind: POSTMORTEM, shouldPublish: false }) { update: noticeUpdate { id } } }`,
  );
  expect((await call('GET', `${path}/postmortem`)).json).toMatchObject({
    body: 'It was a disk.',
    published_at: expect.any(String),
    notify_subscribers: false,
  });
  await call('DELETE', path);
});

test('templates are listed and added', async () => {
  const template = { name: 'Outage', title: 'Web is down', body: 'We look.', update_status: 'identified' };
  const created = await send('POST', 'incident_templates', { template: { ...template, component_ids: [web] } });
  const record = { ...template, page_id: page, group_id: null, components: [{ id: web, name: 'Web' }] };
  expect([created.status, created.json]).toMatchObject([201, record]);
  await send('POST', 'incident_templates', { template: { name: 'Window', update_status: 'completed' } });
  expect((await call('GET', 'incident_templates')).json).toMatchObject([
    { id: created.json.id, ...record },
    { name: 'Window', title: null, body: null, update_status: 'completed', components: [] },
  ]);
});

test('the settings of a page that both have are changed', async () => {
  const own = (await createPage(service, { name: 'Nova' })).id;
  const path = `/api/v1/statuspage/pages/${own}`;
  expect((await service.get(path)).json.url).toContain(own);
  const changes = { name: 'Nova 2', url: 'https://nova.example.com', time_zone: 'Berlin', hidden_from_search: true };
  const { status, json } = await service.patch(path, { page: { ...changes, css_reds: '#ff0000' } });
  expect([status, json]).toMatchObject([200, { id: own, ...changes, warnings: ['css_reds was ignored.'] }]);
  const wrong = await service.patch(path, { page: { time_zone: 'Nowhere' } });
  expect([wrong.status, wrong.json.error]).toEqual([
    422,
    expect.arrayContaining([expect.stringMatching(/^time_zone /)]),
  ]);
});

describe('access', () => {
  const path = () => `/api/v1/statuspage/pages/${page}/incidents`;
  const attempt = async (method: string, url: string, token: string | null) => {
    const headers: Record<string, string> = token === null ? {} : { authorization: `OAuth ${token}` };
    const json = method === 'GET' ? undefined : { incident: { name: 'X' } };
    return (await service.call(method, url, { token: null, json, headers })).status;
  };

  test('is by token alone, also where anonymous callers may read', async () => {
    expect(await attempt('GET', path(), null)).toBe(401);
    expect(await attempt('POST', path(), 'wrong')).toBe(401);
  });

  test('is refused with the header to send', async () => {
    const refuse = async (url: string, headers: Record<string, string>) =>
      (await service.post(url, { incident: { name: 'X' } }, { token: null, headers })).json.error;
    const sentence = 'This action requires a valid token, in a header: "Authorization: OAuth <token>".';
    expect(await refuse(path(), {})).toBe(sentence);
    expect(await refuse(path(), { authorization: service.tokens.write })).toBe(sentence);
    expect(await refuse(path(), { 'x-api-key': service.tokens.write })).toBe(sentence);
    expect(await refuse(`${path()}?api_key=${service.tokens.write}`, {})).toContain('(api_key) is not accepted');
  });

  test('is that of the role, on the page', async () => {
    const viewer = await createToken(service.database, 'viewer', { role: 'viewer', pageIds: [page] });
    const other = await createToken(service.database, 'other', {
      role: 'owner',
      pageIds: [(await createPage(service)).id],
    });
    expect([await attempt('GET', path(), viewer), await attempt('POST', path(), viewer)]).toEqual([200, 403]);
    expect([await attempt('GET', path(), other), await attempt('POST', path(), other)]).toEqual([404, 404]);
    const reader = await createToken(service.database, 'reader', scopes.read);
    expect(await attempt('GET', path().replace('incidents', 'subscribers'), reader)).toBe(200);
    expect(await attempt('GET', path().replace('incidents', 'subscribers'), viewer)).toBe(403);
  });

  test('other paths are not found', async () => {
    for (const name of ['users', 'incidents/1/subscribers', 'metrics/1/data'])
      expect(await attempt('GET', path().replace('incidents', name), service.tokens.write)).toBe(404);
    expect(await attempt('POST', `${path()}/1`, service.tokens.write)).toBe(404);
  });
});

test('components that many templates name count as often as they are shown', async () => {
  const { id } = await createPage(service, { name: 'Long' });
  const path = `/v1/pages/${id}`;
  const description = 'a'.repeat(65_000);
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, index) => createComponent(service, path, { name: `${index}`, description })),
  );
  const token = await createToken(service.database, 'publisher', { role: 'publisher', pageIds: [id] });
  const request = (method: string, query: string, json?: object) =>
    service.call(method, `/api/v1/statuspage/pages/${id}/incident_templates${query}`, { token, json });
  for (const name of ['a', 'b', 'c', 'd']) {
    const template = { name, component_ids: ids.map(component => String(component.id)) };
    expect((await request('POST', '', { template })).status).toBe(201);
  }
  expect((await request('GET', '?per_page=2')).json).toHaveLength(2);
  const refused = await request('GET', '');
  expect([refused.status, refused.json.error]).toEqual([400, expect.stringContaining('longer than 4 MB')]);
});
