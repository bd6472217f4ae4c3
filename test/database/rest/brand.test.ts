import { expect, test } from '@jest/globals';
import {
  expectConditionalRequests,
  expectRoundTripToChangeNothing,
  expectSameNotFound,
  inputFormats,
  anyTimestamp,
  invalidBody,
  sendAs,
  versionAt,
} from '../../support/record-rules.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();

const newBrand = async () => `${(await createPage(service)).path}/brand`;

const defaults = {
  color_state_ok: '#27ae60',
  color_state_warning: '#e67e22',
  color_navbar_background: 'rgba(0,0,0,0.01)',
  color_navbar_links: '#2c3e50',
  color_navbar_button_background: '#2980b9',
  color_header_background: '#F7F8F9',
  color_header_links: '#2980b9',
  color_header_text: '#2c3e50',
  color_body_background: '#FFFFFF',
  color_body_links: '#2980b9',
  color_body_text: '#2c3e50',
  created_at: anyTimestamp,
  updated_at: anyTimestamp,
};

test('a new page has a brand with the default colours', async () => {
  const { status, json } = await service.get(await newBrand());
  expect([status, json]).toEqual([200, { response: defaults }]);
  expect(Object.keys(json.response)).toEqual(Object.keys(defaults));
});

test.each(inputFormats)('accepts colours as %s, and keeps omitted ones', async form => {
  const path = await newBrand();
  const { status, json } = await sendAs(service, form, 'PATCH', path, {
    color_state_ok: '#0F0',
    color_header_text: 'rgba(1, 2, 3, 50%)',
  });
  expect([status, json]).toEqual([
    200,
    { response: { ...defaults, color_state_ok: '#0F0', color_header_text: 'rgba(1, 2, 3, 50%)' } },
  ]);
  expect((await service.get(path)).json).toEqual(json);
});

test.each(['#abc', '#ABCD', '#a1b2c3', '#a1b2c3d4', 'rgb(0,0,0)', 'RGBA( 255, 255, 255, .5 )', 'rgb(10%, 20%, 30%)'])(
  'returns %s as it was sent',
  async colour => {
    expect(
      (await service.call('PUT', await newBrand(), { json: { color_body_text: colour } })).json.response
        .color_body_text,
    ).toBe(colour);
  },
);

test.each([
  'red',
  'abc',
  '#ab',
  '#abcde',
  'rgb(256,0,0)',
  'rgba(0,0,0)',
  'hsl(0,0%,0%)',
  '#fff;}body{display:none',
  ['#fff', '#000'],
])('refuses the colour %j, and stores nothing of the request', async colour => {
  const path = await newBrand();
  const { status, json } = await service.patch(path, { color_body_text: colour, color_body_links: '#000' });
  expect([status, json]).toEqual([422, invalidBody({ color_body_text: ['is invalid'] })]);
  expect((await service.get(path)).json.response).toEqual(defaults);
});

test.each([
  ['null', null],
  ['blank', ''],
])('%s resets a colour to its default', async (_, nothing) => {
  const path = await newBrand();
  await service.patch(path, { color_state_ok: '#000', color_state_warning: '#111' });
  expect((await service.patch(path, { color_state_ok: nothing })).json.response).toEqual({
    ...defaults,
    color_state_warning: '#111',
  });
});

test('sending a whole record back changes nothing, and unknown fields are ignored', async () => {
  const path = await newBrand();
  await service.patch(path, { color_state_ok: '#123456', color_of_money: '#000', created_at: '2001-01-01' });
  expect((await service.get(path)).json.response).toEqual({ ...defaults, color_state_ok: '#123456' });
  await expectRoundTripToChangeNothing(service, path);
});

test('DELETE resets the brand to the defaults', async () => {
  const path = await newBrand();
  await service.patch(path, { color_state_ok: '#123456' });
  const deleted = await service.delete(path);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect((await service.get(path)).json).toEqual({ response: defaults });
  expect(await versionAt(service, path)).toBe(3);
  expect((await service.delete(path)).status).toBe(204);
});

test('supports ETag, If-None-Match and If-Match', async () => {
  const path = await newBrand();
  await expectConditionalRequests(service, path, (attempt, method, request) =>
    service.call(method, path, { json: { color_state_ok: `#00000${attempt}` }, ...request }),
  );
});

test('a change of colours does not change the version of the page', async () => {
  const path = await newBrand();
  await service.patch(path, { color_state_ok: '#123' });
  expect(await versionAt(service, path.replace('/brand', ''))).toBe(1);
});

test('answers 404 for an unknown page', async () => {
  const path = '/v1/pages/ffffffff/brand';
  expectSameNotFound('page', [
    await service.get(path),
    await service.patch(path, { color_state_ok: 'red' }),
    await service.delete(path),
  ]);
});

test('answers 405 to POST', async () => {
  const response = await service.post(await newBrand(), {});
  expect([response.status, response.json.error]).toEqual([405, 'method_not_allowed']);
  expect(response.headers.get('allow')!.split(', ').sort()).toEqual([
    'DELETE',
    'GET',
    'HEAD',
    'OPTIONS',
    'PATCH',
    'PUT',
  ]);
});
