import { beforeEach, describe, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

/**
 * The requests of the Terraform providers sbecker59/statuspage, yannh/statuspage and winebarrel/statuspage, as their
 * clients write them: the second sends JSON without its type. What a provider reads back decides whether the next plan is
 * empty; the third stops where a response differs from what it sent.
 */
const service = useService();
let page: string;
beforeEach(async () => {
  page = (await createPage(service, { name: 'Meridian' })).id;
});

const clients = {
  sbecker59: { authorization: 'oauth', 'content-type': 'application/json', accept: 'application/json' },
  yannh: { authorization: 'OAuth' },
  winebarrel: { authorization: 'OAuth', 'content-type': 'application/json' },
};
type Client = keyof typeof clients;

async function send(client: Client, method: string, path: string, body?: object) {
  const { authorization, ...headers } = clients[client];
  const response = await fetch(`${service.url}/api/v1/statuspage/v1/pages/${page}/${path}`, {
    method,
    // As bytes, to which fetch adds no type.
    body: body && new TextEncoder().encode(JSON.stringify(body)),
    headers: { authorization: `${authorization} ${service.tokens.write}`, ...headers },
  });
  const text = await response.text();
  return { status: response.status, json: text ? JSON.parse(text) : undefined };
}

/** Creates a record, and says what its client reads into the state. */
async function apply(client: Client, list: string, body: object, known: readonly string[], item = list) {
  const created = await send(client, 'POST', list, body);
  expect([created.status, created.json.error, created.json.page_id]).toEqual([201, undefined, page]);
  const path = `${item}/${created.json.id}`;
  const read = async () => {
    const { status, json } = await send(client, 'GET', path);
    expect(status).toBe(200);
    return Object.fromEntries(known.map(name => [name, json[name]]));
  };
  return { id: created.json.id as string, path, read };
}

describe.each(['sbecker59', 'yannh', 'winebarrel'] as const)('%s', client => {
  const component = {
    name: 'Checkout',
    description: 'Carts and orders',
    only_show_if_degraded: true,
    showcase: false,
    status: 'operational',
    start_date: '2026-01-15',
  };

  test('a component comes back as it went in', async () => {
    const { id, path, read } = await apply(client, 'components', { component }, Object.keys(component));
    expect(await read()).toEqual(component);
    const again = await send(client, 'PATCH', path, { component });
    expect([again.status, again.json.id, again.json.warnings]).toEqual([200, id, undefined]);
    const shown = { ...component, only_show_if_degraded: false, showcase: true };
    await send(client, 'PATCH', path, { component: { ...shown, start_date: undefined } });
    expect(await read()).toEqual(shown);
    expect((await send(client, 'DELETE', path)).status).toBe(204);
    expect((await send(client, 'GET', path)).status).toBe(404);
  });

  test('a component without a description has none, and warnings name what has no effect', async () => {
    const { status, json } = await send(client, 'POST', 'components', {
      component: { ...component, description: '', start_date: undefined },
    });
    expect([status, json]).toMatchObject([201, { description: null, start_date: json.created_at.slice(0, 10) }]);
    expect(json.warnings).toEqual([
      'showcase is stored and has no effect: a page shows the uptime of all components, or of none.',
      'only_show_if_degraded is stored and has no effect: the page always shows the component.',
    ]);
    await send(client, 'DELETE', `components/${json.id}`);
  });

  test('a group comes back as it went in, changes its components and ends', async () => {
    const create = async (name: string) => {
      const { json } = await send(client, 'POST', 'components', { component: { name } });
      return json.id as string;
    };
    const one = await create('One');
    const two = await create('Two');
    const wrong = await send(client, 'POST', 'component-groups', {
      component_group: { name: 'Payments', components: [one, '999999999'] },
    });
    expect([wrong.status, wrong.json.error]).toEqual([422, ['components has no components of the page: "999999999"']]);
    expect((await send(client, 'GET', 'component-groups')).json).toEqual([]);
    // In the order of the configuration, which is a list.
    const group = { name: 'Payments', description: 'Everything that takes money', components: [two, one] };
    const known = ['name', 'description', 'components'];
    const { id, path, read } = await apply(client, 'component-groups', { component_group: group }, known);
    expect(await read()).toEqual(group);
    const groupIds = async () => (await send(client, 'GET', 'components')).json.map((each: Component) => each.group_id);
    interface Component {
      group_id: string | null;
    }
    expect((await groupIds()).filter((each: string) => each === id)).toHaveLength(2);
    expect((await send(client, 'GET', 'component-groups')).json).toMatchObject([{ id, page_id: page, ...group }]);

    // yannh's client sends a change without the record around it.
    const changed = { name: 'Money', description: group.description, components: [two] };
    const body = client === 'yannh' ? changed : { component_group: changed };
    expect(await send(client, 'PATCH', path, body)).toMatchObject({ status: 200, json: changed });
    expect((await send(client, 'GET', `components/${one}`)).json).toMatchObject({ group_id: null });
    const { json: same } = await send(client, 'PATCH', path, body);
    expect([await read(), same.warnings]).toEqual([changed, undefined]);

    const unknown = await send(client, 'PATCH', path, { component_group: { components: [two, '999999999', 'x'] } });
    expect([unknown.status, unknown.json.error]).toEqual([
      422,
      ['components has no components of the page: "999999999", "x"'],
    ]);
    const turned = await send(client, 'PATCH', path, { component_group: { components: [one, two] } });
    expect(turned.json.components).toEqual([one, two]);
    // A group that is empty is one still; a component is none.
    await send(client, 'PATCH', path, { component_group: { components: [] } });
    expect(await read()).toEqual({ ...changed, components: [] });
    expect((await send(client, 'GET', `component-groups/${one}`)).status).toBe(404);
    await send(client, 'PATCH', path, { component_group: { components: [one] } });
    expect(await send(client, 'DELETE', path)).toMatchObject({ status: 200, json: { id, components: [one] } });
    expect((await send(client, 'GET', `components/${one}`)).json).toMatchObject({ group_id: null, group: false });
    for (const each of [one, two]) await send(client, 'DELETE', `components/${each}`);
  });

  test('the provider Self is that of each page, and others are refused', async () => {
    const secrets = { email: '', password: '', api_key: '', api_token: '', application_key: '' };
    const metrics_provider = { ...secrets, type: 'Self' };
    const { path, read } = await apply(client, 'metrics_providers', { metrics_provider }, ['type']);
    expect(await read()).toEqual({ type: 'Self' });
    expect(await send(client, 'PATCH', path, { metrics_provider })).toMatchObject({ status: 200 });
    expect((await send(client, 'GET', 'metrics_providers')).json).toMatchObject([{ id: 'self', type: 'Self' }]);
    const datadog = await send(client, 'POST', 'metrics_providers', { metrics_provider: { type: 'Datadog' } });
    expect([datadog.status, datadog.json.error]).toEqual([422, [expect.stringMatching(/^type is not taken: /)]]);
    expect(await send(client, 'DELETE', path)).toMatchObject({ status: 200, json: { type: 'Self' } });
    expect((await send(client, 'GET', 'metrics_providers/abc')).status).toBe(404);
  });

  test('a metric comes back as it went in', async () => {
    const metric = {
      name: 'Response time',
      metric_identifier: 'p95',
      transform: 'average',
      suffix: 'ms',
      y_axis_min: 0.5,
      y_axis_max: 100,
      y_axis_hidden: true,
      display: false,
      decimal_places: 2,
      tooltip_description: 'The slowest of twenty',
    };
    const list = 'metrics_providers/self/metrics';
    const { id, path, read } = await apply(client, list, { metric }, Object.keys(metric), 'metrics');
    expect(await read()).toEqual(metric);
    const again = await send(client, 'PATCH', path, { metric });
    expect([again.status, again.json.warnings]).toEqual([200, undefined]);
    const defaults = {
      ...metric,
      metric_identifier: '',
      transform: '',
      y_axis_min: 0,
      y_axis_max: 0,
      y_axis_hidden: false,
      display: true,
      tooltip_description: '',
    };
    const changed = await send(client, 'PATCH', path, { metric: defaults });
    expect([changed.json.warnings, await read()]).toEqual([undefined, { ...defaults, transform: null }]);
    expect((await send(client, 'GET', 'metrics')).json).toMatchObject([{ id, metrics_provider_id: 'self' }]);
    expect(await send(client, 'DELETE', path)).toMatchObject({ status: 200, json: { id } });
    expect((await send(client, 'GET', path)).status).toBe(404);
  });
});

test('an incident of sbecker59 comes back as it went in, and the second apply notifies nobody', async () => {
  const { json: component } = await send('sbecker59', 'POST', 'components', { component: { name: 'Web' } });
  const incident = {
    name: 'Elevated errors',
    status: 'investigating',
    impact_override: 'none',
    scheduled_remind_prior: false,
    scheduled_auto_in_progress: false,
    scheduled_auto_completed: false,
  };
  const sent = {
    ...incident,
    body: 'We look.',
    component_ids: [component.id],
    components: { [component.id]: 'operational' },
  };
  const known = Object.keys(incident);
  const { path, read } = await apply('sbecker59', 'incidents', { incident: sent }, known);
  expect(await read()).toEqual(incident);
  // The set `component` of the configuration, whose status is operational by default.
  const named = { id: component.id, name: 'Web', status: 'operational' };
  expect((await send('sbecker59', 'GET', path)).json.components).toMatchObject([named]);
  expect((await send('sbecker59', 'GET', `components/${component.id}`)).json.status).toBe('operational');
  const changed = { ...sent, impact_override: 'major', body: undefined };
  const { json } = await send('sbecker59', 'PATCH', path, { incident: changed });
  expect(json).toMatchObject({ impact_override: 'major', components: [named] });
  expect(json.warnings).toEqual([
    'impact_override is stored and has no effect: the impact follows from those on the components.',
  ]);
  const worse = { ...changed, components: { [component.id]: 'major_outage' } };
  const { json: after } = await send('sbecker59', 'PATCH', path, { incident: worse });
  expect([after.components, after.warnings]).toMatchObject([[{ ...named, status: 'major_outage' }], undefined]);
  // The status that was sent last counts.
  const better = { ...changed, components: { [component.id]: 'degraded_performance' } };
  const { json: last } = await send('sbecker59', 'PATCH', path, { incident: better });
  expect(last.components).toMatchObject([{ ...named, status: 'degraded_performance' }]);
});

test.each([{ email: 'ops@example.com' }, { email: 'ops@example.com', endpoint: 'https://hooks.example.com/status' }])(
  'a subscriber of sbecker59 comes back as it went in: %j',
  async subscriber => {
    const { path, read } = await apply('sbecker59', 'subscribers', { subscriber }, ['email', 'endpoint']);
    expect(await read()).toEqual({ endpoint: null, ...subscriber });
    expect(await send('sbecker59', 'DELETE', path)).toMatchObject({ status: 200, json: subscriber });
    expect((await send('sbecker59', 'GET', path)).status).toBe(404);
  },
);

test('a template of winebarrel comes back as it went in', async () => {
  const { json: component } = await send('winebarrel', 'POST', 'components', { component: { name: 'Web' } });
  const template = { name: 'Outage', title: 'Web is down', body: 'We look.', update_status: 'investigating' };
  const sent = { ...template, component_ids: [component.id] };
  const { json: created } = await send('winebarrel', 'POST', 'incident_templates', { template: sent });
  expect(created).toMatchObject({ page_id: page, ...sent });
  const path = `incident_templates/${created.id}`;
  const changed = await send('winebarrel', 'PATCH', path, { template: { ...sent, title: 'Down' } });
  expect(changed).toMatchObject({ status: 200, json: { ...sent, title: 'Down' } });
  expect((await send('winebarrel', 'GET', 'incident_templates')).json).toEqual([changed.json]);
  expect((await send('winebarrel', 'DELETE', path)).status).toBe(204);
  expect((await send('winebarrel', 'GET', 'incident_templates')).json).toEqual([]);
});

test('a post-mortem of winebarrel is drafted, published, changed and deleted', async () => {
  const incident = { name: 'Slow', status: 'resolved', body: 'It was slow.', deliver_notifications: false };
  const { json } = await send('winebarrel', 'POST', 'incidents', { incident });
  const path = `incidents/${json.id}/postmortem`;
  expect((await send('winebarrel', 'GET', path)).status).toBe(404);
  const put = (name: string, postmortem?: object) =>
    send('winebarrel', 'PUT', `${path}${name}`, postmortem && { postmortem });
  const draft = { body: null, body_draft: 'It was a disk.', notify_subscribers: false, published_at: null };
  expect(await put('', { body_draft: 'It was a disk.' })).toMatchObject({ status: 200, json: draft });
  expect((await send('winebarrel', 'GET', path)).json).toMatchObject(draft);
  const published = { body: 'It was a disk.', body_draft: null, published_at: expect.any(String) };
  expect((await put('/publish', { notify_subscribers: false })).json).toMatchObject(published);
  expect((await send('winebarrel', 'GET', `incidents/${json.id}`)).json).toMatchObject({
    status: 'postmortem',
    postmortem_body: 'It was a disk.',
    metadata: {},
  });
  expect((await put('', { body: 'It was two disks.', notify_subscribers: false })).json.body).toBe('It was two disks.');
  const reverted = await put('/revert');
  expect(reverted.json).toMatchObject({ body: null, body_draft: 'It was two disks.' });
  expect((await put('/publish', {})).json).toMatchObject({ body: 'It was two disks.', body_draft: null });
  const empty = await put('/publish', {});
  expect([empty.status, empty.json.error]).toEqual([422, ["body_draft can't be blank"]]);
  expect((await send('winebarrel', 'DELETE', path)).status).toBe(204);
  expect((await send('winebarrel', 'GET', path)).status).toBe(404);
  const long = 'It was a disk.'.repeat(600);
  const error = ['body_draft must have at most 8,192 bytes, with the metadata of the incident'];
  const refused = await put('', { body: 'It was a disk.', body_draft: long, notify_subscribers: true });
  expect([refused.status, refused.json.error]).toEqual([422, error]);
  expect((await send('winebarrel', 'GET', path)).status).toBe(404);
  expect((await put('', { body: long, body_draft: '' })).json).toMatchObject({ body: long, body_draft: null });
  const kept = await put('/revert');
  expect([kept.status, kept.json.error]).toEqual([422, error]);
  expect((await send('winebarrel', 'GET', path)).json.body).toBe(long);
});
