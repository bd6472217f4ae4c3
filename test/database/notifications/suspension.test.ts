import { beforeEach, describe, expect, test } from '@jest/globals';
import { recordOutcomes } from '../../../src/notifications/delivery/record-outcomes.js';
import { createSubscriber } from '../../support/factories.js';
import { leaseAll, createPublishingPage, fanOutAll } from '../../support/ledger.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

/** A recipient that refuses three messages in a row as to nobody is suspended: the ledger says so, and operators see it. */
const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let ada: number;
beforeEach(async () => {
  page = await createPublishingPage(service, {}, ['chatA']);
  ada = await page.subscribe('ada@acme.example');
  await page.subscribe('eve@acme.example');
});

type Outcome = ['sent' | 'failed', string] | ['refused', string, boolean];
const gone: Outcome = ['refused', '550 5.1.1 No such user', true];
const sent: Outcome = ['sent', '250 OK'];

/** Publishes an incident, and records these outcomes by address; the others accept it. */
async function publish(outcomes: Record<string, Outcome>): Promise<void> {
  await page.notice();
  await fanOutAll(service.database);
  const leased = await leaseAll(service.database);
  await recordOutcomes(
    service.database,
    leased.map(({ id, lease, address }) => {
      const [outcome, response, isGone] = outcomes[address] ?? sent;
      return { id, lease, outcome, response, retrySeconds: outcome === 'failed' ? 60 : null, thread: null, isGone };
    }),
  );
}
const ask = async (document: string) => {
  const { data, errors } = (await service.graphql(document)).json;
  return errors ? errors[0] : data;
};
const refuse = async (address: string, times = 3, outcome = gone) => {
  for (let time = 0; time < times; time += 1) await publish({ [address]: outcome });
};
const lastOutcomes = async () =>
  Object.fromEntries(
    (await page.deliveries()).slice(-3).map(({ address, state, reason }) => [address, reason ?? state]),
  );
const readSuspension = async () =>
  (await ask(`{ subscriber(pageId: "${page.id}", id: ${ada}) { suspendedAt suspensionReason } }`)).subscriber;
const notSuspended = { suspendedAt: null, suspensionReason: null };

test('its deliveries are skipped from then on, with the reason; all others are sent', async () => {
  await refuse('ada@acme.example', 2);
  await publish({ 'ada@acme.example': gone });
  expect(await lastOutcomes()).toEqual({ Slack: 'sent', 'ada@acme.example': 'refused', 'eve@acme.example': 'sent' });
  await publish({});
  expect(await lastOutcomes()).toEqual({ Slack: 'sent', 'ada@acme.example': 'suspended', 'eve@acme.example': 'sent' });
});

test('operators see when and why, and can list the suspended', async () => {
  await refuse('ada@acme.example', 2);
  expect(await readSuspension()).toEqual(notSuspended);
  await refuse('ada@acme.example', 1);
  expect(await readSuspension()).toEqual({
    suspendedAt: expect.any(String),
    suspensionReason: '550 5.1.1 No such user',
  });
  const list = (isSuspended: boolean) =>
    ask(
      `{ subscribers(pageId: "${page.id}", filter: { suspendedAt: { present: ${isSuspended} } }) { nodes { email } } }`,
    );
  expect((await list(true)).subscribers.nodes).toEqual([{ email: 'ada@acme.example' }]);
  expect((await list(false)).subscribers.nodes).toEqual([{ email: 'eve@acme.example' }]);
  const filtered = await service.get(`${page.path}/subscribers?filter[suspended_at_present]=true`);
  expect(filtered.status).toBe(400);
  expect(filtered.json.error_description.split('There are:')[1]).not.toContain('suspen');
});

test('a message that is accepted in between begins anew; a temporary failure does not', async () => {
  await refuse('ada@acme.example', 2);
  await publish({});
  await refuse('ada@acme.example', 2);
  expect(await readSuspension()).toEqual(notSuspended);
  await publish({ 'ada@acme.example': ['failed', '451 later'] });
  await refuse('ada@acme.example', 1);
  expect(await readSuspension()).not.toEqual(notSuspended);
});

test('refusals for another reason do not count', async () => {
  await refuse('ada@acme.example', 4, ['refused', '550 5.7.1 Policy', false]);
  expect(await readSuspension()).toEqual(notSuspended);
});

test('three refusals that are recorded together suspend at once', async () => {
  for (let time = 0; time < 3; time += 1) await page.notice();
  await fanOutAll(service.database);
  const leased = await leaseAll(service.database);
  const outcomes = leased.map(({ id, lease, address }) => {
    const isGone = address !== 'eve@acme.example';
    return {
      id,
      lease,
      outcome: isGone ? ('refused' as const) : ('sent' as const),
      response: '550 Gone',
      retrySeconds: null,
      thread: null,
      isGone,
    };
  });
  await recordOutcomes(service.database, outcomes);
  expect(await readSuspension()).toEqual({ suspendedAt: expect.any(String), suspensionReason: '550 Gone' });
  const { channels } = (await ask(`{ page(id: "${page.id}") { channels { channel suspendedAt } } }`)).page;
  expect(channels.find(({ channel }: { channel: string }) => channel === 'SLACK').suspendedAt).not.toBeNull();
});

test('another address of the subscriber is not suspended, and counts from one', async () => {
  await refuse('ada@acme.example');
  await service.patch(`${page.path}/subscribers/${ada}`, { email: 'ada@new.example' });
  expect(await readSuspension()).toEqual(notSuspended);
  await refuse('ada@new.example', 2);
  expect(await readSuspension()).toEqual(notSuspended);
  await refuse('ada@new.example', 1);
  expect(await readSuspension()).not.toEqual(notSuspended);
});

test('a preview counts it as excluded, and warns', async () => {
  await refuse('ada@acme.example');
  await refuse('Slack', 3, ['refused', '404 no_service', true]);
  for (const format of ['standard', 'push', 'push'])
    await service.database.query(
      `with made as (
         insert into webhook (page_id, format, target, confirmed_at, created_at, updated_at)
         values ($1, $2, '{"url": "https://x.example"}', now(), now(), now()) returning id)
       insert into recipient_refusals (page_id, channel, webhook_id, address, count, response, suspended_at)
       select $1, case $2 when 'push' then 'push' else 'webhook' end, id, 'x.example', 1, '503', now() from made`,
      [page.id, format],
    );
  const { previewPublication } =
    await ask(`{ previewPublication(pageId: "${page.id}", input: { openIncident: { subject: "Down", shouldPublish: true } }) {
    audience { channel count } excluded { channel count reason } warnings { code message } } }`);
  expect(previewPublication.audience).toEqual([{ channel: 'EMAIL', count: 1 }]);
  expect(previewPublication.excluded).toEqual(
    expect.arrayContaining([
      { channel: 'SLACK', count: 1, reason: 'SUSPENDED' },
      { channel: 'EMAIL', count: 1, reason: 'SUSPENDED' },
    ]),
  );
  expect(previewPublication.warnings).toContainEqual({
    code: 'SUSPENDED_RECIPIENTS',
    message:
      'Not notified, since they are suspended: Slack (1), E-mail (1), each of which ' +
      'refused three messages in a row because its address does not exist; Push messages (2), Webhooks (1), ' +
      'each of which did not accept a message for 75 hours, or is gone.',
  });
});

test('the audience of a publication leaves it out, before and after the deliveries are created', async () => {
  await refuse('ada@acme.example');
  const { openIncident } = await ask(
    `mutation { openIncident(pageId: "${page.id}", input: { subject: "Down", shouldPublish: true }) {
      publication { id audience { channel count } } } }`,
  );
  const audience = [
    { channel: 'SLACK', count: 1 },
    { channel: 'EMAIL', count: 1 },
  ];
  expect(openIncident.publication.audience).toEqual(audience);
  await fanOutAll(service.database);
  const again = await ask(
    `{ publication(pageId: "${page.id}", id: ${openIncident.publication.id}) { audience { channel count } } }`,
  );
  expect(again.publication.audience).toEqual(audience);
});

describe('a suspension is lifted', () => {
  const lift = (input: string) =>
    ask(
      `mutation { liftSuspension(pageId: "${page.id}", input: { ${input} }) { page { channels { channel suspendedAt } } } }`,
    );

  test('by an operator, for a subscriber', async () => {
    await refuse('ada@acme.example');
    expect((await lift(`channel: EMAIL, subscriberId: ${ada}`)).liftSuspension.page.channels).toHaveLength(8);
    expect(await readSuspension()).toEqual(notSuspended);
    await publish({});
    expect(await lastOutcomes()).toMatchObject({ 'ada@acme.example': 'sent' });
    expect(await lift(`channel: EMAIL, subscriberId: ${ada}`)).toMatchObject({ extensions: { code: 'CONFLICT' } });
  });

  test('by an operator, for a channel of the page', async () => {
    await refuse('Slack', 3, ['refused', '410 channel_is_archived', true]);
    const read = async () => {
      const answer = await ask(`{ page(id: "${page.id}") { channels { channel suspendedAt suspensionReason } } }`);
      const { channel: _, ...found } = answer.page.channels.find(
        ({ channel }: { channel: string }) => channel === 'SLACK',
      );
      return [found];
    };
    expect(await read()).toEqual([{ suspendedAt: expect.any(String), suspensionReason: '410 channel_is_archived' }]);
    await publish({});
    expect(await lastOutcomes()).toMatchObject({ Slack: 'suspended' });
    await lift('channel: SLACK');
    expect(await read()).toEqual([notSuspended]);
  });

  test('by an operator, for all whose server gave the same answer', async () => {
    const answer = (address: string): Outcome => ['refused', `550 5.1.1 <${address}> User unknown x7-${ada}`, true];
    for (let time = 0; time < 3; time += 1)
      await publish({
        'ada@acme.example': answer('ada@acme.example'),
        'eve@acme.example': answer('eve@acme.example'),
        Slack: ['refused', '404 no_service', true],
      });
    const liftAll = async (response: string) =>
      (
        await ask(
          `mutation { liftSuspensions(pageId: "${page.id}", input: { channel: EMAIL, response: "${response}" }) { count } }`,
        )
      ).liftSuspensions;
    expect(await liftAll('550 5.1.1 <ada@acme.example> Disabled')).toEqual({ count: 0 });
    expect(await liftAll('550 5.1.1 <ada@acme.example> User unknown x7-1')).toEqual({ count: 2 });
    await publish({});
    expect(await lastOutcomes()).toEqual({
      Slack: 'suspended',
      'ada@acme.example': 'sent',
      'eve@acme.example': 'sent',
    });
  });

  const refusedDaysAgo = (days: number) =>
    service.database.query(
      `update recipient_refusals set refused_at = now() - $2 * interval '1 day' where page_id = $1`,
      [page.id, days],
    );

  test('by itself, when the address accepts a message a week later, or a month after it did not', async () => {
    await refuse('ada@acme.example');
    await refusedDaysAgo(6);
    await publish({});
    expect(await lastOutcomes()).toMatchObject({ 'ada@acme.example': 'suspended' });
    await refusedDaysAgo(8);
    await publish({ 'ada@acme.example': gone });
    expect(await lastOutcomes()).toMatchObject({ 'ada@acme.example': 'refused' });
    await refusedDaysAgo(8);
    await publish({});
    expect(await lastOutcomes()).toMatchObject({ 'ada@acme.example': 'suspended' });
    await refusedDaysAgo(31);
    await publish({});
    expect(await lastOutcomes()).toMatchObject({ 'ada@acme.example': 'sent' });
    expect(await readSuspension()).toEqual(notSuspended);
  });

  test('by new credentials of a channel', async () => {
    await refuse('Slack');
    const input = '{ channel: SLACK, url: "https://hooks.slack.example/x" }';
    const { configureChannel } = await ask(
      `mutation { configureChannel(pageId: "${page.id}", input: ${input}) { page { channels { suspendedAt } } } }`,
    );
    expect(
      configureChannel.page.channels.filter(({ suspendedAt }: { suspendedAt: string | null }) => suspendedAt),
    ).toEqual([]);
  });

  test('by a new consent of the same address', async () => {
    await refuse('ada@acme.example');
    await service.database.query('update subscriber set unsubscribed_at = now() where id = $1', [ada]);
    expect((await createSubscriber(service, page.path)).id).toBe(ada);
    expect(await readSuspension()).toEqual(notSuspended);
  });

  test.each([
    ['channel: EMAIL', 'BLANK'],
    ['channel: SLACK, subscriberId: 1', 'NOT_APPLICABLE'],
    ['channel: WEBHOOK', 'NOT_APPLICABLE', 'channel'],
    [`channel: PUSH, subscriberId: 1`, 'NOT_APPLICABLE', 'channel'],
  ])('but not for %s', async (input, code, field = 'subscriberId') => {
    const userErrors = [{ path: ['input', field], code }];
    expect(await lift(input)).toMatchObject({ extensions: { code: 'INVALID', userErrors } });
  });
});

test('what a suspended recipient refused stays dead, and is resent once the suspension has ended', async () => {
  await refuse('ada@acme.example');
  const [refused] = await service.database.query<{ id: string }>(
    `select id from delivery where page_id = $1 and address = 'ada@acme.example' order by id desc limit 1`,
    [page.id],
  );
  const resend = () =>
    ask(`mutation { resendDelivery(pageId: "${page.id}", id: "${refused!.id}") { delivery { state } } }`);
  const resendAll = () => ask(`mutation { resendDeliveries(pageId: "${page.id}") { count } }`);
  expect(await resend()).toMatchObject({
    message: 'Its recipient is suspended. End the suspension first, then resend it.',
    extensions: { code: 'CONFLICT' },
  });
  expect(await resendAll()).toEqual({ resendDeliveries: { count: 0 } });
  const excluded = `excluded { channel reason sample }`;
  expect(
    await ask(`mutation { resendDeliveries(pageId: "${page.id}", dryRun: true) { audience { count } ${excluded} } }`),
  ).toMatchObject({
    resendDeliveries: {
      audience: [],
      excluded: [{ channel: 'EMAIL', reason: 'SUSPENDED', sample: ['ada@acme.example'] }],
    },
  });
  await ask(
    `mutation {
       liftSuspension(pageId: "${page.id}", input: { channel: EMAIL, subscriberId: "${ada}" }) { page { id } } }`,
  );
  expect(await resend()).toEqual({ resendDelivery: { delivery: { state: 'RETRYING' } } });
});
