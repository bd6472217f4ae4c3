import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { everything, expectRefusal, type FieldKind, wrong } from '../../support/invalid-input.js';
import { startTestService, type TestService } from '../../support/service.js';

let service: TestService;
let before: string;
const at: Record<string, string> = {};
const ids: Record<string, number> = {};
beforeAll(async () => {
  service = await startTestService();
  const made = async (path: string, values: object) => (await service.post(path, values)).headers.get('location')!;
  at.page = await made('/v1/pages', { name: 'All' });
  at.component = await made(`${at.page}/components`, { name: 'One' });
  at.part = await made(`${at.page}/components`, { name: 'Part', parent_id: at.component.split('/').at(-1) });
  at.notice = await made(`${at.page}/notices`, { subject: 'It', initial_comment: 'Hm' });
  at.maintenance = await made(`${at.page}/notices`, {
    subject: 'It',
    type: 'planned',
    begins_at: '2030-01-01',
    ends_at: '2030-01-02',
  });
  at.update = await made(`${at.notice}/updates`, { content: 'More' });
  at.template = await made(`${at.page}/notice_templates`, { name: 'Again' });
  at.subscriber = await made(`${at.page}/subscribers`, { email: 'x@example.com' });
  at.other = await made('/v1/pages', { name: 'Other' });
  at.foreign = await made(`${at.other}/components`, { name: 'Foreign' });
  for (const name of ['component', 'part', 'foreign']) ids[name] = Number(at[name]!.split('/').at(-1));
  before = await everything(service);
});
afterAll(() => service.stop());
/** Nothing is written by what is refused. */
afterEach(async () => {
  expect(await everything(service)).toBe(before);
});

interface Endpoint {
  method: 'POST' | 'PATCH';
  path: () => string;
  /** What is right, beside the one field that is wrong. */
  right: Record<string, unknown>;
  fields: Record<string, FieldKind>;
}

const pageFields: Endpoint['fields'] = {
  name: 'text',
  timezone: 'word',
  support_email: 'text',
  support_telephone: 'text',
  support_url: 'text',
  visible_to_search: 'boolean',
  meta_title: 'text',
  meta_description: 'text',
  vendor_analytics_id: 'text',
  timeline_threshold: 'integer',
  timeline_threshold_in_days: 'integer',
  timeline_sort_order: 'word',
  locale: 'word',
  send_notifications_by_email: 'boolean',
  send_notifications_by_social: 'boolean',
};
const componentFields: Endpoint['fields'] = { name: 'text', description: 'text', position: 'integer', parent_id: 'id' };
const noticeFields: Endpoint['fields'] = {
  subject: 'text',
  state: 'word',
  should_publish: 'boolean',
  component_ids: 'ids',
  tag_list: 'texts',
  began_at: 'moment',
  ended_at: 'moment',
};
const plannedFields: Endpoint['fields'] = {
  begins_at: 'moment',
  ends_at: 'moment',
  begins_at_date: 'word',
  begins_at_time: 'word',
  duration_in_minutes: 'integer',
  should_automate_schedule: 'boolean',
};
const templateFields: Endpoint['fields'] = {
  name: 'text',
  subject: 'text',
  initial_comment: 'text',
  component_id: 'id',
};
const subscriberFields: Endpoint['fields'] = {
  email: 'text',
  phone_number: 'text',
  first_name: 'text',
  last_name: 'text',
  nickname: 'text',
  company: 'text',
  tag_list: 'texts',
  component_ids: 'ids',
};
const window = { type: 'planned', begins_at: '2030-01-01', ends_at: '2030-01-02' };

const endpoints: Record<string, Endpoint> = {
  'a new page': { method: 'POST', path: () => '/v1/pages', right: { name: 'x' }, fields: pageFields },
  'a page': { method: 'PATCH', path: () => at.page!, right: {}, fields: pageFields },
  'a brand': {
    method: 'PATCH',
    path: () => `${at.page}/brand`,
    right: {},
    fields: { color_state_ok: 'word', color_body_text: 'word' },
  },
  'a custom domain': { method: 'POST', path: () => `${at.page}/custom_domain`, right: {}, fields: { domain: 'word' } },
  'a theme': { method: 'PATCH', path: () => `${at.page}/theme`, right: {}, fields: { zip: 'word' } },
  'a new component': {
    method: 'POST',
    path: () => `${at.page}/components`,
    right: { name: 'x' },
    fields: componentFields,
  },
  'a component': { method: 'PATCH', path: () => at.component!, right: {}, fields: componentFields },
  'a new incident': {
    method: 'POST',
    path: () => `${at.page}/notices`,
    right: { subject: 'x' },
    fields: { ...noticeFields, type: 'word', initial_comment: 'text' },
  },
  'an incident': {
    method: 'PATCH',
    path: () => at.notice!,
    right: {},
    fields: { ...noticeFields, additional_comment: 'text' },
  },
  'a new maintenance': {
    method: 'POST',
    path: () => `${at.page}/notices`,
    right: { subject: 'x', ...window },
    fields: plannedFields,
  },
  'a maintenance': { method: 'PATCH', path: () => at.maintenance!, right: {}, fields: plannedFields },
  'a new update': {
    method: 'POST',
    path: () => `${at.notice}/updates`,
    right: { content: 'x' },
    fields: { content: 'text', should_publish: 'boolean' },
  },
  'an update': { method: 'PATCH', path: () => at.update!, right: {}, fields: { content: 'text' } },
  'a new template': {
    method: 'POST',
    path: () => `${at.page}/notice_templates`,
    right: { name: 'x' },
    fields: templateFields,
  },
  'a template': { method: 'PATCH', path: () => at.template!, right: {}, fields: templateFields },
  'a new subscriber': {
    method: 'POST',
    path: () => `${at.page}/subscribers`,
    right: { email: 'y@example.com', phone_number: '+4479460000' },
    fields: subscriberFields,
  },
  'a subscriber': { method: 'PATCH', path: () => at.subscriber!, right: {}, fields: subscriberFields },
};

const json = { 'Content-Type': 'application/json' };
const megabytes = 'x'.repeat(10 * 1024 * 1024);

describe.each(Object.entries(endpoints))('%s', (_, { method, path, right, fields }) => {
  const [first] = Object.keys(fields) as [string];

  test.each(Object.entries(fields))('is refused for a wrong %s: no %s', async (field, kind) => {
    for (const value of wrong[kind]) {
      expectRefusal(await service.call(method, path(), { json: { ...right, [field]: value } }), 422, field);
    }
  });

  test.each<[string, (field: string) => string | Uint8Array<ArrayBuffer>]>([
    ['half of a surrogate pair', field => `{"${field}": "\\ud800"}`],
    ['half of a surrogate pair in a list', field => `{"${field}": ["\\udc00x"]}`],
    ['brackets 1,000 deep', field => `{"${field}": ${'['.repeat(1000)}${']'.repeat(1000)}}`],
    ['braces 1,000 deep', field => `{"${field}": ${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}`],
    ['bytes that are no UTF-8', field => Uint8Array.from(Buffer.from(`{"${field}": "\xff"}`, 'latin1'))],
    ['an end that is missing', field => `{"${field}": "x`],
    ['a list in place of an object', field => `[{"${field}": "x"}]`],
  ])('is refused for JSON with %s', async (__, body) => {
    expectRefusal(await service.call(method, path(), { body: body(first), headers: json }), 400);
  });

  test.each([
    ['an invalid percent encoding', '%zz'],
    ['percent-encoded bytes that are no UTF-8', '%ff'],
    ['half of a surrogate pair', '%ed%a0%80'],
  ])('is refused for %s', async (__, value) => {
    expectRefusal(await service.call(method, path(), { form: `${first}=${value}` }), 400);
    expectRefusal(await service.call(method, `${path()}?${first}=${value}`), 400);
    expectRefusal(await service.call(method, `${path()}?${value}=${first}`, { json: right }), 400);
  });

  test('is refused for brackets 1,000 deep, and for 100,000 members of a list, in a form', async () => {
    expectRefusal(await service.call(method, path(), { form: `${first}${'[a]'.repeat(1000)}=1` }), 400);
    expectRefusal(await service.call(method, path(), { form: `${first}[]=1&`.repeat(1e5).slice(0, 1e6) }), 400);
  });

  test('is refused for a multipart body that is cut short', async () => {
    const body = `--edge\r\nContent-Disposition: form-data; name="${first}"\r\n\r\nx`;
    for (const part of [body, body.slice(0, 60), '--edge', '--edge\r\n']) {
      expectRefusal(
        await service.call(method, path(), {
          body: part,
          headers: { 'Content-Type': 'multipart/form-data; boundary=edge' },
        }),
        400,
      );
    }
  });

  test('is refused for a text of 10 MB', async () => {
    expectRefusal(await service.call(method, path(), { json: { ...right, [first]: megabytes } }), 413);
  });

  test('is not written by way of __proto__', async () => {
    const hidden = `{"${first}": "x", "polluted": 1}`;
    const body = `{"__proto__": ${hidden}, "constructor": {"prototype": ${hidden}}, ${JSON.stringify({ ...right, [first]: [] }).slice(1)}`;
    expectRefusal(await service.call(method, path(), { body, headers: json }), 422, first);
    const form = `__proto__[polluted]=1&constructor[prototype][polluted]=1&${new URLSearchParams(right as Record<string, string>)}&${first}[a]=1`;
    expectRefusal(await service.call(method, path(), { form }), 422, first);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

test('a body of 10 MB is refused in whatever form it comes', async () => {
  const data = new FormData();
  data.append('name', megabytes);
  const refused = await service.call('POST', '/v1/pages', { form: `name=${megabytes}` });
  expectRefusal(refused, 413);
  // Else the rest of it would be taken for the next request.
  expect(refused.headers.get('connection')).toBe('close');
  expectRefusal(await service.call('POST', '/v1/pages', { body: data }), 413);
});

test('a file of more than 1 MB is refused where none is taken', async () => {
  const data = new FormData();
  data.append('name', 'A page');
  data.append('zip', new Blob([megabytes.slice(0, 1_500_000)]), 'theme.zip');
  expectRefusal(await service.call('POST', '/v1/pages', { body: data }), 413);
});

test('a cycle of components is refused, of one or of two', async () => {
  for (const parent_id of [ids.component, ids.part])
    expectRefusal(await service.patch(at.component!, { parent_id }), 422, 'parent_id');
  expectRefusal(await service.patch(at.part!, { parent_id: ids.part }), 422, 'parent_id');
});

test('a component of another page is refused wherever one may be named', async () => {
  expectRefusal(await service.post(`${at.page}/components`, { name: 'x', parent_id: ids.foreign }), 422, 'parent_id');
  expectRefusal(await service.patch(at.component!, { parent_id: ids.foreign }), 422, 'parent_id');
  for (const component_ids of [[ids.foreign], [ids.component, ids.foreign], [999_999]]) {
    expectRefusal(await service.post(`${at.page}/notices`, { subject: 'x', component_ids }), 422, 'component_ids');
    expectRefusal(await service.patch(at.notice!, { component_ids }), 422, 'component_ids');
    expectRefusal(
      await service.post(`${at.page}/subscribers`, { email: 'y@example.com', component_ids }),
      422,
      'component_ids',
    );
    expectRefusal(await service.patch(at.subscriber!, { component_ids }), 422, 'component_ids');
  }
  expectRefusal(
    await service.post(`${at.page}/notice_templates`, { name: 'x', component_id: ids.foreign }),
    422,
    'component_id',
  );
  expectRefusal(await service.patch(at.template!, { component_id: ids.foreign }), 422, 'component_id');
});
