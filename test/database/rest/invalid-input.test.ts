import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hashAllTables, expectRefusal, type FieldKind, invalidValues } from '../../support/invalid-input.js';
import {
  createComponent,
  createNotice,
  createPage,
  createSubscriber,
  createTemplate,
  createUpdate,
} from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let before: string;
const paths: Record<string, string> = {};
const ids: Record<string, number> = {};
beforeAll(async () => {
  paths.page = (await createPage(service, { name: 'All' })).path;
  paths.component = (await createComponent(service, paths.page, { name: 'One' })).path;
  paths.part = (
    await createComponent(service, paths.page, { name: 'Part', parent_id: paths.component.split('/').at(-1) })
  ).path;
  paths.notice = (await createNotice(service, paths.page, { subject: 'It', initial_comment: 'Hm' })).path;
  paths.maintenance = (
    await createNotice(service, paths.page, {
      subject: 'It',
      type: 'planned',
      begins_at: '2030-01-01',
      ends_at: '2030-01-02',
    })
  ).path;
  paths.update = (await createUpdate(service, paths.notice, { content: 'More' })).path;
  paths.template = (await createTemplate(service, paths.page, { name: 'Again' })).path;
  paths.subscriber = (await createSubscriber(service, paths.page, { email: 'x@example.com' })).path;
  paths.other = (await createPage(service, { name: 'Other' })).path;
  paths.foreign = (await createComponent(service, paths.other, { name: 'Foreign' })).path;
  for (const name of ['component', 'part', 'foreign']) ids[name] = Number(paths[name]!.split('/').at(-1));
  before = await hashAllTables(service);
});
/** Refused requests write nothing. */
afterEach(async () => {
  expect(await hashAllTables(service)).toBe(before);
});

interface Endpoint {
  method: 'POST' | 'PATCH';
  path: () => string;
  /** Valid values, sent with the one invalid field. */
  validFields: Record<string, unknown>;
  fields: Record<string, FieldKind>;
}

/** Fields of a kind, from their names separated by blanks. */
const fieldsOf = (kind: FieldKind, names: string): Endpoint['fields'] =>
  Object.fromEntries(names.split(' ').map(name => [name, kind]));

const pageFields = {
  ...fieldsOf('text', 'name support_email support_telephone support_url meta_title meta_description'),
  ...fieldsOf('formatted', 'timezone vendor_analytics_id timeline_sort_order locale'),
  ...fieldsOf('integer', 'timeline_threshold timeline_threshold_in_days'),
  ...fieldsOf('boolean', 'visible_to_search send_notifications_by_email send_notifications_by_social'),
};
const componentFields = {
  ...fieldsOf('text', 'name description'),
  ...fieldsOf('integer', 'position'),
  ...fieldsOf('id', 'parent_id'),
};
const noticeFields = {
  ...fieldsOf('text', 'subject'),
  ...fieldsOf('formatted', 'state state_event'),
  ...fieldsOf('boolean', 'should_publish'),
  ...fieldsOf('ids', 'component_ids'),
  ...fieldsOf('texts', 'tag_list'),
  ...fieldsOf('timestamp', 'began_at ended_at'),
};
const plannedFields = {
  ...fieldsOf('timestamp', 'begins_at ends_at'),
  ...fieldsOf('formatted', 'begins_at_date begins_at_time'),
  ...fieldsOf('integer', 'duration_in_minutes'),
  ...fieldsOf('boolean', 'should_automate_schedule'),
};
const templateFields = { ...fieldsOf('text', 'name subject initial_comment'), ...fieldsOf('id', 'component_id') };
const subscriberFields = {
  ...fieldsOf('text', 'email phone_number first_name last_name nickname company'),
  ...fieldsOf('texts', 'tag_list'),
  ...fieldsOf('ids', 'component_ids'),
};
const window = { type: 'planned', begins_at: '2030-01-01', ends_at: '2030-01-02' };

const endpoints: Record<string, Endpoint> = {
  'a new page': { method: 'POST', path: () => '/v1/pages', validFields: { name: 'x' }, fields: pageFields },
  'a page': { method: 'PATCH', path: () => paths.page!, validFields: {}, fields: pageFields },
  'a brand': {
    method: 'PATCH',
    path: () => `${paths.page}/brand`,
    validFields: {},
    fields: { color_state_ok: 'formatted', color_body_text: 'formatted' },
  },
  'a custom domain': {
    method: 'POST',
    path: () => `${paths.page}/custom_domain`,
    validFields: {},
    fields: { domain: 'formatted' },
  },
  'a theme': { method: 'PATCH', path: () => `${paths.page}/theme`, validFields: {}, fields: { zip: 'formatted' } },
  'a new component': {
    method: 'POST',
    path: () => `${paths.page}/components`,
    validFields: { name: 'x' },
    fields: componentFields,
  },
  'a component': { method: 'PATCH', path: () => paths.component!, validFields: {}, fields: componentFields },
  'a new incident': {
    method: 'POST',
    path: () => `${paths.page}/notices`,
    validFields: { subject: 'x' },
    fields: { ...noticeFields, type: 'formatted', initial_comment: 'text' },
  },
  'an incident': {
    method: 'PATCH',
    path: () => paths.notice!,
    validFields: {},
    fields: { ...noticeFields, additional_comment: 'text' },
  },
  'a new maintenance': {
    method: 'POST',
    path: () => `${paths.page}/notices`,
    validFields: { subject: 'x', ...window },
    fields: plannedFields,
  },
  'a maintenance': { method: 'PATCH', path: () => paths.maintenance!, validFields: {}, fields: plannedFields },
  'a new update': {
    method: 'POST',
    path: () => `${paths.notice}/updates`,
    validFields: { content: 'x' },
    fields: { content: 'text', should_publish: 'boolean' },
  },
  'an update': { method: 'PATCH', path: () => paths.update!, validFields: {}, fields: { content: 'text' } },
  'a new template': {
    method: 'POST',
    path: () => `${paths.page}/notice_templates`,
    validFields: { name: 'x' },
    fields: templateFields,
  },
  'a template': { method: 'PATCH', path: () => paths.template!, validFields: {}, fields: templateFields },
  'a new subscriber': {
    method: 'POST',
    path: () => `${paths.page}/subscribers`,
    validFields: { email: 'y@example.com', phone_number: '+4479460000' },
    fields: subscriberFields,
  },
  'a subscriber': { method: 'PATCH', path: () => paths.subscriber!, validFields: {}, fields: subscriberFields },
};

const json = { 'Content-Type': 'application/json' };
const megabytes = 'x'.repeat(10 * 1024 * 1024);

describe.each(Object.entries(endpoints))('%s', (_, { method, path, validFields, fields }) => {
  test.each(Object.entries(fields))('is refused for an invalid %s of type %s', async (field, kind) => {
    for (const value of invalidValues[kind]) {
      expectRefusal(await service.call(method, path(), { json: { ...validFields, [field]: value } }), 422, field);
    }
  });
});

/** Bodies are read alike by all endpoints, but for those that take a file. */
describe.each(['a new component', 'an incident', 'a theme'])('the body of %s', name => {
  const { method, path, validFields, fields } = endpoints[name]!;
  const [first] = Object.keys(fields) as [string];

  test.each<[string, (field: string) => string | Uint8Array<ArrayBuffer>]>([
    ['a lone surrogate', field => `{"${field}": "\\ud800"}`],
    ['a lone surrogate in a list', field => `{"${field}": ["\\udc00x"]}`],
    ['brackets 1,000 deep', field => `{"${field}": ${'['.repeat(1000)}${']'.repeat(1000)}}`],
    ['braces 1,000 deep', field => `{"${field}": ${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}}`],
    ['invalid UTF-8', field => Uint8Array.from(Buffer.from(`{"${field}": "\xff"}`, 'latin1'))],
    ['a missing end', field => `{"${field}": "x`],
    ['a list instead of an object', field => `[{"${field}": "x"}]`],
  ])('is refused for JSON with %s', async (__, body) => {
    expectRefusal(await service.call(method, path(), { body: body(first), headers: json }), 400);
  });

  test.each([
    ['an invalid percent encoding', '%zz'],
    ['percent-encoded invalid UTF-8', '%ff'],
    ['a lone surrogate', '%ed%a0%80'],
  ])('is refused for %s', async (__, value) => {
    expectRefusal(await service.call(method, path(), { form: `${first}=${value}` }), 400);
    expectRefusal(await service.call(method, `${path()}?${first}=${value}`), 400);
    expectRefusal(await service.call(method, `${path()}?${value}=${first}`, { json: validFields }), 400);
  });

  test('is refused for brackets 1,000 deep and for 100,000 list items in a form', async () => {
    expectRefusal(await service.call(method, path(), { form: `${first}${'[a]'.repeat(1000)}=1` }), 400);
    expectRefusal(await service.call(method, path(), { form: `${first}[]=1&`.repeat(1e5).slice(0, 1e6) }), 400);
  });

  test('is refused for a truncated multipart body', async () => {
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
    expectRefusal(await service.call(method, path(), { json: { ...validFields, [first]: megabytes } }), 413);
  });

  test('ignores fields under __proto__', async () => {
    const hidden = `{"${first}": "x", "polluted": 1}`;
    const rest = JSON.stringify({ ...validFields, [first]: [] }).slice(1);
    const body = `{"__proto__": ${hidden}, "constructor": {"prototype": ${hidden}}, ${rest}`;
    expectRefusal(await service.call(method, path(), { body, headers: json }), 422, first);
    const encoded = new URLSearchParams(validFields as Record<string, string>);
    const form = `__proto__[polluted]=1&constructor[prototype][polluted]=1&${encoded}&${first}[a]=1`;
    expectRefusal(await service.call(method, path(), { form }), 422, first);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

test('a body of 10 MB is refused in every format', async () => {
  const data = new FormData();
  data.append('name', megabytes);
  const response = await service.call('POST', '/v1/pages', { form: `name=${megabytes}` });
  expectRefusal(response, 413);
  // Otherwise the rest of the body would be parsed as the next request.
  expect(response.headers.get('connection')).toBe('close');
  expectRefusal(await service.call('POST', '/v1/pages', { body: data }), 413);
});

test('a file of more than 1 MB is refused by an endpoint without files', async () => {
  const data = new FormData();
  data.append('name', 'A page');
  data.append('zip', new Blob([megabytes.slice(0, 1_500_000)]), 'theme.zip');
  expectRefusal(await service.call('POST', '/v1/pages', { body: data }), 413);
});

test('a cycle of one or two components is refused', async () => {
  for (const parent_id of [ids.component, ids.part])
    expectRefusal(await service.patch(paths.component!, { parent_id }), 422, 'parent_id');
  expectRefusal(await service.patch(paths.part!, { parent_id: ids.part }), 422, 'parent_id');
});

test('a component of another page is refused in every field that names components', async () => {
  expectRefusal(
    await service.post(`${paths.page}/components`, { name: 'x', parent_id: ids.foreign }),
    422,
    'parent_id',
  );
  expectRefusal(await service.patch(paths.component!, { parent_id: ids.foreign }), 422, 'parent_id');
  for (const component_ids of [[ids.foreign], [ids.component, ids.foreign], [999_999]]) {
    expectRefusal(await service.post(`${paths.page}/notices`, { subject: 'x', component_ids }), 422, 'component_ids');
    expectRefusal(await service.patch(paths.notice!, { component_ids }), 422, 'component_ids');
    expectRefusal(
      await service.post(`${paths.page}/subscribers`, { email: 'y@example.com', component_ids }),
      422,
      'component_ids',
    );
    expectRefusal(await service.patch(paths.subscriber!, { component_ids }), 422, 'component_ids');
  }
  expectRefusal(
    await service.post(`${paths.page}/notice_templates`, { name: 'x', component_id: ids.foreign }),
    422,
    'component_id',
  );
  expectRefusal(await service.patch(paths.template!, { component_id: ids.foreign }), 422, 'component_id');
});
