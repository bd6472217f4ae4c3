import { beforeEach, expect, test } from '@jest/globals';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

/** `send_notifications_by_*` reads as "switched on and configured"; false is stored only for a configured channel. */
const service = useService();
let id: string;
let path: string;
beforeEach(async () => {
  id = (await createPage(service)).id;
  path = `/v1/pages/${id}`;
});

const prefix = 'send_notifications_by_';
const switchedOn = (page: Record<string, unknown>) =>
  Object.keys(page)
    .filter(name => name.startsWith(prefix) && page[name] === true)
    .map(name => name.slice(prefix.length));
const readSwitchedOn = async () => switchedOn((await service.get(path)).json.response);
const writeSwitches = async (switches: Record<string, unknown>) => {
  const response = await service.patch(
    path,
    Object.fromEntries(Object.entries(switches).map(([name, value]) => [prefix + name, value])),
  );
  expect(response.status).toBe(200);
  return switchedOn(response.json.response);
};
const mutate = async (mutation: string, type: string, input: object) => {
  const { json } = await service.graphql(
    `mutation($page: ID!, $input: ${type}!) { ${mutation}(pageId: $page, input: $input) { page { id } } }`,
    {
      page: id,
      input,
    },
  );
  expect(json.errors).toBeUndefined();
};
const configure = (channel: string) =>
  mutate('configureChannel', 'ConfigureChannelInput', {
    channel,
    url: 'https://hooks.example/x',
    token: channel === 'MASTODON' ? 'abc' : undefined,
  });
const remove = (channel: string) => mutate('removeChannel', 'RemoveChannelInput', { channel });

test('a channel reads as on if it is configured and switched on', async () => {
  expect(await readSwitchedOn()).toEqual(['email', 'sms']);
  await configure('SLACK');
  await configure('MASTODON');
  expect(await readSwitchedOn()).toEqual(['email', 'sms', 'chat_a', 'social']);
  expect(await writeSwitches({ email: false, chat_a: false })).toEqual(['sms', 'social']);
  expect(await writeSwitches({ email: true, chat_a: true })).toEqual(['email', 'sms', 'chat_a', 'social']);
});

test('false is stored while the channel is configured, and survives its removal', async () => {
  await configure('TEAMS');
  expect(await writeSwitches({ chat_b: false })).toEqual(['email', 'sms']);
  await remove('TEAMS');
  await configure('TEAMS');
  expect(await readSwitchedOn()).toEqual(['email', 'sms']);
  expect(await writeSwitches({ chat_b: null })).toEqual(['email', 'sms', 'chat_b']);
});

test('sending a whole record back does not switch off unconfigured channels', async () => {
  const { response } = (await service.get(path)).json;
  expect((await service.patch(path, response)).json.response).toEqual(response);
  await configure('SLACK');
  await configure('TEAMS');
  await configure('MASTODON');
  expect(await readSwitchedOn()).toEqual(['email', 'sms', 'chat_a', 'chat_b', 'social']);
});

test('a new page can switch off service-wide channels, but not its own, which are not configured yet', async () => {
  const made = await service.post('/v1/pages', {
    name: 'Quiet',
    [`${prefix}email`]: false,
    [`${prefix}chat_a`]: false,
  });
  expect(switchedOn(made.json.response)).toEqual(['sms']);
  id = made.json.response.id;
  path = `/v1/pages/${id}`;
  await configure('SLACK');
  expect(await readSwitchedOn()).toEqual(['sms', 'chat_a']);
});

test('GraphQL refuses to switch on what is not configured, and accepts what a read returns', async () => {
  const update = async (input: object) => {
    const query = `mutation($id: ID!, $input: UpdatePageInput!) {
      updatePage(id: $id, input: $input) { page { shouldSendNotificationsBySlack } userErrors { path code message } } }`;
    return (await service.graphql(query, { id, input })).json.data.updatePage;
  };
  expect(await update({ shouldSendNotificationsBySlack: true, shouldSendNotificationsByEmail: true })).toEqual({
    page: null,
    userErrors: [
      {
        path: ['input', 'shouldSendNotificationsBySlack'],
        code: 'NOT_APPLICABLE',
        message: '`shouldSendNotificationsBySlack` must be omitted or false until Slack is configured, not true.',
      },
    ],
  });
  expect((await update({ shouldSendNotificationsBySlack: false })).userErrors).toEqual([]);
  await configure('SLACK');
  expect(await update({ shouldSendNotificationsBySlack: true })).toEqual({
    page: { shouldSendNotificationsBySlack: true },
    userErrors: [],
  });
});

test('/v1 accepts the switch of a channel that is not configured, which reads as off until it is', async () => {
  expect(await writeSwitches({ chat_a: true })).toEqual(['email', 'sms']);
  await configure('SLACK');
  expect(await readSwitchedOn()).toEqual(['email', 'sms', 'chat_a']);
});

test('filters compare the values that reads return', async () => {
  await configure('MASTODON');
  const { json } = await service.get(`/v1/pages?filter[send_notifications_by_social_eq]=true&filter[id_eq]=${id}`);
  expect(json.count).toBe(1);
  await remove('MASTODON');
  expect(
    (await service.get(`/v1/pages?filter[send_notifications_by_social_eq]=true&filter[id_eq]=${id}`)).json.count,
  ).toBe(0);
});

test('deleting a page deletes its channel targets', async () => {
  await configure('MASTODON');
  expect((await service.delete(path)).status).toBe(204);
  expect(await service.database.query('select 1 from channel_target where page_id = $1', [id])).toEqual([]);
});
