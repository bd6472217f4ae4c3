import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { isUntrusted, isUntrustedSql } from '../../../src/notifications/channels/target-host.js';
import { startWorker } from '../../../src/notifications/delivery/worker.js';
import { createPublishingPage, type Delivery, wakeWorkers } from '../../support/ledger.js';
import { createRecordingChannels, type RecordingChannels } from '../../support/recording-channels.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { waitUntil } from '../../support/wait-until-equal.js';

const service = useOwnService(withChannels);
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let channels: RecordingChannels;
let isSlow: boolean;
let endAll: () => void;
let stop: () => Promise<void>;
beforeEach(async () => {
  await service.database.query('delete from publication');
  page = await createPublishingPage(service, {}, []);
  channels = createRecordingChannels();
  const ended = new Promise<void>(done => {
    endAll = done;
  });
  isSlow = true;
  // Servers that take requests and do not answer.
  channels.respond = async ({ recipient }, channel) => {
    if (channel === 'email' || trustedHosts.includes(recipient.address)) return { kind: 'sent', response: '250 OK' };
    if (isSlow) await ended;
    return { kind: 'failed', response: 'No response within 10 s.' };
  };
  stop = startWorker(service.database, {
    adapters: channels.adapters,
    retryHours: 24,
    loadTarget: async ({ channel }) => ({ url: `https://${channel}.example.com` }),
  });
});
afterEach(async () => {
  endAll();
  await stop();
});

const pushService = 'fcm.googleapis.com';
const operatorsHost = 'hooks.example.net';
const trustedHosts = [pushService, operatorsHost];

const subscribeTargets = (format: 'push' | 'standard', count: number) =>
  service.database.query(
    `insert into webhook (page_id, format, target, url_hash, confirmed_at, created_at, updated_at)
     select $1, $2, jsonb_build_object('url', 'https://' || n || '.example'), $2 || n, at, at, at
     from generate_series(1, $3::integer) n, (select clock_timestamp() as at) at`,
    [page.id, format, count],
  );
/** Webhooks of operators, and browsers of a push service. */
const createTrustedTargets = (count: number) =>
  service.database.query(
    `insert into webhook (page_id, format, target, url_hash, confirmed_at, created_at, updated_at)
     select $1, format, jsonb_build_object('url', 'https://' || host || '/' || n), hash || n, at, at, at
     from (values ('push', $3, 'hash'), ('standard', $4, null)) kind (format, host, hash),
       generate_series(1, $2::integer) n, (select clock_timestamp() as at) at`,
    [page.id, count, pushService, operatorsHost],
  );
const countSent = (channel: string) => channels.sent.filter(sent => sent.channel === channel).length;
const countSentToTrusted = () =>
  trustedHosts.map(host => channels.sent.filter(({ recipient }) => recipient.address === host).length);

test('hundreds of slow browsers and programs do not keep back the e-mails of a later notice', async () => {
  await subscribeTargets('push', 400);
  await subscribeTargets('standard', 400);
  await page.subscribeMany(5);
  for (const notices of [1, 2]) {
    await page.notice();
    await waitUntil(
      async () => countSent('email'),
      count => count === notices * 5,
    );
  }
  expect([countSent('push'), countSent('webhook')]).toEqual([4, 4]);
});

test('their retries do not keep back those of e-mails', async () => {
  isSlow = false;
  await subscribeTargets('push', 20);
  await subscribeTargets('standard', 20);
  await page.subscribeMany(5);
  await page.notice();
  const isTried = ({ state }: Delivery) => state === 'retrying' || state === 'sent';
  await waitUntil(page.deliveries, all => all.length === 45 && all.every(isTried));
  isSlow = true;
  // The retries of the e-mails are due last.
  await service.database.query(
    `update delivery set state = 'retrying',
       due_at = clock_timestamp() - case channel when 'email' then interval '1 second' else interval '1 minute' end
     where page_id = $1`,
    [page.id],
  );
  wakeWorkers(service.database, page.id);
  await waitUntil(
    async () => countSent('email'),
    count => count === 10,
  );
});

test('nor the webhooks of operators and the browsers of push services, which came later', async () => {
  await subscribeTargets('push', 400);
  await subscribeTargets('standard', 400);
  await createTrustedTargets(20);
  for (const notices of [1, 2]) {
    await page.notice();
    await waitUntil(
      async () => countSentToTrusted(),
      counts => counts.every(count => count === notices * 20),
    );
  }
  expect([countSent('push'), countSent('webhook')]).toEqual([44, 44]);
});

test('their retries do not keep back those of operators and push services', async () => {
  isSlow = false;
  await subscribeTargets('push', 20);
  await subscribeTargets('standard', 20);
  await createTrustedTargets(5);
  await page.notice();
  const isTried = ({ state }: Delivery) => state === 'retrying' || state === 'sent';
  await waitUntil(page.deliveries, all => all.length === 50 && all.every(isTried));
  isSlow = true;
  await service.database.query(
    `update delivery set state = 'retrying',
       due_at = clock_timestamp() - case when address = any($2) then interval '1 second' else interval '1 minute' end
     where page_id = $1`,
    [page.id, trustedHosts],
  );
  wakeWorkers(service.database, page.id);
  await waitUntil(
    async () => countSentToTrusted(),
    counts => counts.every(count => count === 10),
  );
});

test('the database and the service agree on which hosts anybody may run', async () => {
  const hosts = ['fcm.googleapis.com', 'fcm.googleapis.com:8443', 'a.notify.windows.com', 'notify.windows.com.example'];
  const targets = ['standard', 'push', 'slack', 'teams', 'discord', 'statuspage'].flatMap(format =>
    hosts.map(host => ({ format, host })),
  );
  const rows = await service.database.query<{ isUntrusted: boolean }>(
    `select ${isUntrustedSql} as "isUntrusted"
     from unnest($1::text[], $2::text[]) with ordinality given (format, host, position),
       lateral (select format, 'hash' as url_hash, jsonb_build_object('url', 'https://' || host || '/x') as target) w
     order by position`,
    [targets.map(({ format }) => format), targets.map(({ host }) => host)],
  );
  expect(rows.map((row, index) => ({ ...targets[index], ...row }))).toEqual(
    targets.map(target => ({ ...target, isUntrusted: isUntrusted(target) })),
  );
});
