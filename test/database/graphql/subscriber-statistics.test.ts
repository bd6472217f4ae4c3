import { expect, test } from '@jest/globals';
import { createPage, createSubscriber } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { recordStatements } from '../../support/statements.js';

const service = useOwnService();

const read = async (page: string, range: object) => {
  const { json } = await service.graphql(
    `query ($page: ID!, $firstDay: String!, $lastDay: String!, $interval: StatisticsInterval! = DAY) { page(id: $page) {
      subscriberStatistics(firstDay: $firstDay, lastDay: $lastDay, interval: $interval) {
        firstDay channels { channel subscribers added ended }
      } } }`,
    { page, ...range },
  );
  return json.errors?.[0] ?? json.data.page.subscriberStatistics.map(toPeriod);
};
const toPeriod = ({ firstDay, channels }: { firstDay: string; channels: { channel: string }[] }) => {
  const byName = Object.fromEntries(channels.map(({ channel, ...counts }) => [channel, counts]));
  return { firstDay, email: byName.EMAIL, sms: byName.SMS, webhook: byName.WEBHOOK, push: byName.PUSH };
};
const none = { subscribers: 0, added: 0, ended: 0 };

test('figures count who came and went by channel, whatever became of the subscribers', async () => {
  const { database } = service;
  const page = await createPage(service, { name: 'Meridian Freight' });
  const [{ today, before }] = (await database.query(
    `select (now() at time zone 'UTC')::date::text as today, ((now() at time zone 'UTC')::date - 1)::text as before`,
  )) as [{ today: string; before: string }];
  const figures = async () => (await read(page.id, { firstDay: before, lastDay: today })).at(-1);
  await database.query(
    `insert into subscriber (page_id, email, phone_number, consent_source, confirmed_at, created_at, updated_at)
     select $1, n || '@a.example', '+4930' || n, 'test', now() - interval '1 day', now(), now()
     from generate_series(1, 5) n`,
    [page.id],
  );
  const five = { subscribers: 5, added: 5, ended: 0 };
  expect(await read(page.id, { firstDay: before, lastDay: today })).toMatchObject([
    { firstDay: before, email: five, sms: five },
    { firstDay: today, email: { ...five, added: 0 }, sms: { ...five, added: 0 } },
  ]);

  const ada = await createSubscriber(service, page.path, { email: 'ada@a.example' });
  await service.patch(`${page.path}/subscribers/${ada.id}`, { first_name: 'Ada' });
  expect(await figures()).toMatchObject({ email: { subscribers: 6, added: 1, ended: 0 }, sms: { added: 0 } });
  await service.patch(`${page.path}/subscribers/${ada.id}`, { phone_number: '+14155550100' });
  expect(await figures()).toMatchObject({ email: { subscribers: 6 }, sms: { subscribers: 6, added: 1 } });

  await database.query('update subscriber set unsubscribed_at = now() where page_id = $1 and id < $2', [
    page.id,
    ada.id,
  ]);
  expect(await figures()).toMatchObject({ email: { subscribers: 1, ended: 5 }, sms: { subscribers: 1, ended: 5 } });
  await database.query('delete from subscriber where page_id = $1', [page.id]);
  const last = { email: { subscribers: 0, added: 1, ended: 6 }, sms: { subscribers: 0, added: 1, ended: 6 } };
  expect(await figures()).toMatchObject({ firstDay: today, ...last });

  const month = await read(page.id, { firstDay: today, lastDay: '2999-01-01', interval: 'MONTH' });
  expect(month.at(-1)).toMatchObject({ firstDay: `${today.slice(0, 7)}-01`, email: { subscribers: 0 } });
  expect(await read(page.id, { firstDay: '2020-01-31', lastDay: '2020-03-01', interval: 'MONTH' })).toMatchObject(
    ['2020-01-01', '2020-02-01', '2020-03-01'].map(firstDay => ({ firstDay, email: none, sms: none })),
  );
  await createSubscriber(service, page.path, { email: 'eve@a.example' });
  expect((await service.delete(page.path)).status).toBe(204);
});

test('figures count webhooks that visitors subscribed from when they are confirmed until they are deleted', async () => {
  const { database } = service;
  const { id } = await createPage(service, { name: 'Meridian Freight' });
  const insert = (format: string, hash: string | null) =>
    database.query(
      `insert into webhook (page_id, format, target, url_hash, created_at, updated_at)
       values ($1, $2, '{}', $3, now(), now())`,
      [id, format, hash],
    );
  await insert('standard', 'a');
  await insert('slack', 'b');
  await insert('push', 'c');
  // That of operators is no subscriber.
  await insert('standard', null);
  const today = new Date().toISOString().slice(0, 10);
  const figures = async () => {
    const { webhook, push } = (await read(id, { firstDay: today, lastDay: today })).at(-1);
    return { webhook, push };
  };
  expect(await figures()).toEqual({ webhook: none, push: none });
  await database.query('update webhook set confirmed_at = now() where page_id = $1', [id]);
  const one = { subscribers: 1, added: 1, ended: 0 };
  expect(await figures()).toEqual({ webhook: { subscribers: 2, added: 2, ended: 0 }, push: one });
  await database.query(`delete from webhook where page_id = $1 and format <> 'slack'`, [id]);
  expect(await figures()).toEqual({
    webhook: { subscribers: 1, added: 2, ended: 1 },
    push: { ...one, subscribers: 0, ended: 1 },
  });
});

test('statistics take one more statement, and refuse invalid days and too many periods', async () => {
  const page = await createPage(service, { name: 'Meridian Freight' });
  const range = { firstDay: '2026-01-01', lastDay: '2026-01-03' };
  const statements = await recordStatements(service.database, () => read(page.id, range));
  expect(statements.filter(text => /from subscriber_count|from page/.test(text))).toHaveLength(2);
  const refused = async (given: object) => {
    const { message, path, extensions } = await read(page.id, { ...range, ...given });
    return { message, path, argument: extensions.path };
  };
  const path = ['page', 'subscriberStatistics'];
  expect(await refused({ firstDay: '2026-01-04' })).toEqual({
    message: '`lastDay` must not be before `firstDay`.',
    path,
    argument: ['lastDay'],
  });
  expect(await refused({ firstDay: '2026-02-30' })).toEqual({
    message: '`firstDay` must be a day, such as 2026-11-29.',
    path,
    argument: ['firstDay'],
  });
  const many = await refused({ firstDay: '2000-01-01' });
  expect(many).toEqual({ message: expect.stringContaining('at most 400 periods'), path, argument: ['lastDay'] });
});
