import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startWorker } from '../../../src/notifications/delivery/worker.js';
import { rotateBounceHook } from '../../../src/notifications/bounces/bounce-hook.service.js';
import { Writer } from '../../../src/records/writer.js';
import { openChannels } from '../../../src/server/open-channels.js';
import { ownBody } from '../../support/alert-payloads.js';
import { createPublishingPage, wakeWorkers } from '../../support/ledger.js';
import { type MailServer, startMailServer } from '../../support/mail-server.js';
import { moveTimesBack } from '../../support/move-times-back.js';
import { useOwnService } from '../../support/service.js';
import { createTestSettings, withChannels } from '../../support/settings.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';

/** Three outages of one alert in a week, and what happens beside them. The ledger says who was notified of what. */
const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let server: MailServer;
/** How many mails the server accepts today. */
let quota = Number.POSITIVE_INFINITY;
let stopWorker: () => Promise<void>;
let passedHours = 0;
/** A moment of the week: it moves into the past with the records. */
const takeTime = () => {
  const [now, passed] = [Date.now(), passedHours];
  return () => new Date(now - (passedHours - passed) * 3_600_000);
};
beforeEach(async () => {
  page = await createPublishingPage(service, {}, []);
  server = await startMailServer({
    refuseContent: () => (quota-- > 0 ? undefined : '550 5.4.5 Daily user sending quota exceeded.'),
  });
  stopWorker = startSending();
});
afterEach(async () => {
  await stopWorker();
  await server.stop();
});

function startSending(): () => Promise<void> {
  const channels = openChannels(createTestSettings({ smtpUrl: server.url, mailFrom: 'status@example.com' }));
  const stop = startWorker(service.database, { adapters: channels.adapters, retryHours: 24 });
  return async () => {
    await stop();
    await channels.close();
  };
}

/** The processes of a day start anew, as what they wait for is measured by their own clocks. */
async function pass(hours: number, acceptedToday = Number.POSITIVE_INFINITY): Promise<void> {
  await stopWorker();
  await moveTimesBack(service.database, `${hours} hours`);
  passedHours += hours;
  quota = acceptedToday;
  stopWorker = startSending();
  wakeWorkers(service.database, page.id);
}

const everything = Array.from({ length: 30 }, (_, index) => `all-${String(index).padStart(2, '0')}@acme.example`);
const ofShop = ['shop-1@acme.example', 'shop-2@acme.example'];
const gone = 'gone@acme.example';
const people = [...everything, gone, ...ofShop].toSorted();

/** Whom the server has accepted a mail for, of each message of each notice: an address twice if it was told twice. */
async function readTold(): Promise<Record<string, string[]>> {
  const rows = await service.database.query<{ message: string; address: string }>(
    `select dense_rank() over (order by d.notice_id) || ' ' || (p.message_snapshot ->> 'event') as message, d.address
     from delivery d join publication p on p.id = d.publication_id join attempt a on a.delivery_id = d.id
     where d.page_id = $1 and a.outcome = 'sent' order by d.notice_id, d.publication_id, d.address`,
    [page.id],
  );
  const told = Map.groupBy(rows, ({ message }) => message);
  return Object.fromEntries([...told].map(([message, all]) => [message, all.map(({ address }) => address)]));
}
const countTold = async () =>
  Object.fromEntries(Object.entries(await readTold()).map(([message, told]) => [message, told.length]));
const waitUntilTold = (expected: Record<string, number>) => waitUntilEqual(countTold, expected);

test('each person is notified of the begin and of the end of each outage, once', async () => {
  const shop = await page.component('Shop');
  const basket = await page.component('Basket');
  for (const address of [...everything, gone]) await page.subscribe(address);
  for (const address of ofShop) await page.subscribe(address, [shop]);
  await page.subscribe('basket@acme.example', [basket]);
  const template = await service.post(`${page.path}/notice_templates`, {
    name: 'Outage',
    subject: 'The shop is slow',
    initial_comment: 'We look into it.',
  });
  const { json } = await service.graphql(
    `mutation ($page: ID!, $rules: [AlertRuleInput!]) {
       createAlertSource(pageId: $page, input: { name: "Monitor", rules: $rules }) { hookUrl } }`,
    {
      page: page.id,
      rules: [
        {
          componentIds: [String(shop)],
          templateId: template.json.response.id,
          action: 'PUBLISH',
          shouldResolve: true,
        },
      ],
    },
  );
  const alertHook = new URL(json.data.createAlertSource.hookUrl).pathname;
  const alert = async (isFiring: boolean, startsAt: () => Date) => {
    const { alerts } = ownBody(isFiring);
    const body = { alerts: alerts.map(one => ({ ...one, startsAt: startsAt().toISOString() })) };
    return (await service.post(alertHook, body, { token: null })).text.trim();
  };
  const bounceHook = `/hooks/bounces/${await rotateBounceHook(new Writer(service.database))}`;
  /** The provider accepts each mail to an address that nobody has, and reports that later. */
  const bounce = async () => {
    const { raw } = server.mails.findLast(({ to }) => to[0] === gone)!;
    const body = {
      notificationType: 'Bounce',
      mail: { commonHeaders: { messageId: /^Message-ID: (.*)\r$/im.exec(raw)![1] } },
      bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: gone, diagnosticCode: '550 5.1.1 No' }] },
    };
    expect((await service.post(bounceHook, body, { token: null })).text).toMatch(/^bounces: 1,/);
  };
  /** What Terraform sends where it finds a difference, and again where it does not. */
  const apply = async (name: string) => {
    const path = `/api/v1/statuspage/v1/pages/${page.id}/components/${shop}`;
    for (let run = 0; run < 2; run += 1) {
      const changed = await service.call('PATCH', path, { json: { component: { name, status: 'operational' } } });
      expect([changed.status, changed.json.name]).toEqual([200, name]);
    }
    expect((await service.patch(`${page.path}/components/${basket}`, { description: name })).status).toBe(200);
  };

  // Monday: an outage that begins and ends.
  const monday = takeTime();
  expect(await alert(true, monday)).toBe('alerts: 1, published: 1');
  await waitUntilTold({ '1 opened': 33 });
  await bounce();
  expect(await alert(false, monday)).toBe('alerts: 1, published: 1');
  await waitUntilTold({ '1 opened': 33, '1 closed': 33 });
  await bounce();

  // Wednesday: the mail server has a quota, and somebody works on the components meanwhile.
  await pass(48, 20);
  await apply('Web shop');
  const wednesday = takeTime();
  expect(await alert(true, wednesday)).toBe('alerts: 1, published: 1');
  await waitUntilTold({ '1 opened': 33, '1 closed': 33, '2 opened': 20 });
  await apply('Shop');
  expect(await alert(true, wednesday)).toBe('alerts: 1');

  // Thursday: the others hear of it. The alert is silenced, so that its end never comes: a person resolves the notice.
  await pass(20, 33);
  await waitUntilTold({ '1 opened': 33, '1 closed': 33, '2 opened': 33 });
  await bounce();
  const [{ id: second }] = (await service.database.query<{ id: number }>(
    'select max(id) as id from notice where page_id = $1',
    [page.id],
  )) as [{ id: number }];
  const resolved = await service.patch(`${page.path}/notices/${second}`, { state: 'resolved', should_publish: true });
  expect(resolved.status).toBe(200);
  await waitUntilTold({ '1 opened': 33, '1 closed': 33, '2 opened': 33, '2 closed': 20 });
  expect(await alert(true, wednesday)).toBe('alerts: 1');
  await pass(20);
  await waitUntilTold({ '1 opened': 33, '1 closed': 33, '2 opened': 33, '2 closed': 32 });

  // Saturday: the same alert fires again, after it had cleared while it was silenced.
  await pass(48);
  const saturday = takeTime();
  expect(await alert(true, saturday)).toBe('alerts: 1, published: 1');
  const before = { '1 opened': 33, '1 closed': 33, '2 opened': 33, '2 closed': 32 };
  await waitUntilTold({ ...before, '3 opened': 32 });
  expect(await alert(false, saturday)).toBe('alerts: 1, published: 1');
  await waitUntilTold({ ...before, '3 opened': 32, '3 closed': 32 });

  // The third bounce has suspended the address that nobody has.
  const others = people.filter(address => address !== gone);
  expect(await readTold()).toEqual({
    '1 opened': people,
    '1 closed': people,
    '2 opened': people,
    '2 closed': others,
    '3 opened': others,
    '3 closed': others,
  });
  const received = server.mails.map(({ to, raw }) => `${to} ${/^Message-ID: (.*)\r$/im.exec(raw)![1]}`);
  expect([received.length, new Set(received).size]).toEqual([3 * 33 + 3 * 32, 3 * 33 + 3 * 32]);
  const states = await service.database.query(
    `select state, reason, count(*)::integer as count from delivery where page_id = $1 group by 1, 2 order by 1, 2`,
    [page.id],
  );
  expect(states).toEqual([
    { state: 'dead', reason: 'refused', count: 3 },
    { state: 'sent', reason: null, count: 6 * 32 },
    { state: 'skipped', reason: 'suspended', count: 3 },
  ]);
});
