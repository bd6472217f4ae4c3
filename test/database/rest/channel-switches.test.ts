/** @jest-environment ./test/support/isolated-environment.js */
import '../../support/notification-settings.js';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startTestService, type TestService } from '../../support/service.js';

/** `send_notifications_by_*`: a read shows "switched on and configured", and off is kept only while the channel is configured. */
let service: TestService;
let id: string;
let path: string;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  id = (await service.post('/v1/pages', { name: 'Acme' })).json.response.id;
  path = `/v1/pages/${id}`;
});

const prefix = 'send_notifications_by_';
const switchedOn = (page: Record<string, unknown>) =>
  Object.keys(page)
    .filter(name => name.startsWith(prefix) && page[name] === true)
    .map(name => name.slice(prefix.length));
const on = async () => switchedOn((await service.get(path)).json.response);
const write = async (switches: Record<string, unknown>) => {
  const answer = await service.patch(
    path,
    Object.fromEntries(Object.entries(switches).map(([name, value]) => [prefix + name, value])),
  );
  expect(answer.status).toBe(200);
  return switchedOn(answer.json.response);
};
const mutate = async (verb: string, type: string, input: object) => {
  const { json } = await service.graphql(
    `mutation($page: ID!, $input: ${type}!) { ${verb}(pageId: $page, input: $input) { page { id } } }`,
    {
      page: id,
      input,
    },
  );
  expect(json.errors).toBeUndefined();
};
const configure = (channel: string) =>
  mutate('configureChannel', 'ConfigureChannel', {
    channel,
    url: 'https://hooks.example/x',
    token: channel === 'SOCIAL' ? 'abc' : undefined,
  });
const remove = (channel: string) => mutate('removeChannel', 'RemoveChannel', { channel });

test('a channel shows as on where it is configured and switched on', async () => {
  expect(await on()).toEqual(['email', 'sms']);
  await configure('CHAT_A');
  await configure('SOCIAL');
  expect(await on()).toEqual(['email', 'sms', 'chat_a', 'social']);
  expect(await write({ email: false, chat_a: false })).toEqual(['sms', 'social']);
  expect(await write({ email: true, chat_a: true })).toEqual(['email', 'sms', 'chat_a', 'social']);
});

test('off is kept while the channel is configured, also over the time that it is not', async () => {
  await configure('CHAT_B');
  expect(await write({ chat_b: false })).toEqual(['email', 'sms']);
  await remove('CHAT_B');
  await configure('CHAT_B');
  expect(await on()).toEqual(['email', 'sms']);
  expect(await write({ chat_b: null })).toEqual(['email', 'sms', 'chat_b']);
});

test('off that a read of a channel that is not configured shows is not kept: a whole record sent back switches nothing off', async () => {
  const { response } = (await service.get(path)).json;
  expect((await service.patch(path, response)).json.response).toEqual(response);
  await configure('CHAT_A');
  await configure('CHAT_B');
  await configure('SOCIAL');
  expect(await on()).toEqual(['email', 'sms', 'chat_a', 'chat_b', 'social']);
});

test('a page may be made with a channel of the service switched off; those of a page that is new cannot be', async () => {
  const made = await service.post('/v1/pages', {
    name: 'Quiet',
    [`${prefix}email`]: false,
    [`${prefix}chat_a`]: false,
  });
  expect(switchedOn(made.json.response)).toEqual(['sms']);
  id = made.json.response.id;
  path = `/v1/pages/${id}`;
  await configure('CHAT_A');
  expect(await on()).toEqual(['sms', 'chat_a']);
});

test('pages are found by what their reads show', async () => {
  await configure('SOCIAL');
  const { json } = await service.get(`/v1/pages?filter[send_notifications_by_social_eq]=true&filter[id_eq]=${id}`);
  expect(json.count).toBe(1);
  await remove('SOCIAL');
  expect(
    (await service.get(`/v1/pages?filter[send_notifications_by_social_eq]=true&filter[id_eq]=${id}`)).json.count,
  ).toBe(0);
});

test('where a channel leads goes with its page', async () => {
  await configure('SOCIAL');
  expect((await service.delete(path)).status).toBe(204);
  expect(await service.database.query('select 1 from channel_target where page_id = $1', [id])).toEqual([]);
});
