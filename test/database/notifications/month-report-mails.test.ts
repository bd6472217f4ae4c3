import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type SendMail, sendOperatorMails } from '../../../src/notifications/operator-mail/operator-mail.js';
import { createReportMails } from '../../../src/status-page/reports/mail-reports.js';
import { openChannels } from '../../../src/server/open-channels.js';
import { createComponent, createPage } from '../../support/factories.js';
import { startMailServer } from '../../support/mail-server.js';
import { signIn, peopleOrigin } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';
import { createTestSettings } from '../../support/settings.js';

const service = useOwnService({ publicUrl: peopleOrigin });
let mails: Parameters<SendMail>[0][];
const send: SendMail = async mail => void mails.push(mail);
const refuse: SendMail = async () => {
  throw new Error('no mail server');
};
const run = (now: string, how = send) =>
  sendOperatorMails(
    service.database,
    createReportMails(service.database, 'https://console.example'),
    how,
    new Date(now),
  );

beforeEach(async () => {
  mails = [];
  await service.database.query('delete from page');
  await service.database.query('delete from person');
});

/** A page that has wanted reports since September, with an owner. */
async function createReportedPage(name: string, timezone: string) {
  const page = await createPage(service, { name, timezone });
  const { json } = await service.graphql(
    `mutation { updatePage(id: "${page.id}", input: { shouldSendMonthlyReport: true }) { page { shouldSendMonthlyReport } } }`,
  );
  expect(json.data.updatePage.page).toEqual({ shouldSendMonthlyReport: true });
  await service.database.query(`update page set reported_month = '2026-09' where id = $1`, [page.id]);
  return { id: page.id, path: page.path, owner: await signIn(service, 'owner', [page.id]) };
}

test('mails that are taken late in a long round belong to its process for as long as the first ones', async () => {
  const { id } = await createReportedPage('Meridian', 'UTC');
  for (let count = 1; count <= 20; count++) await signIn(service, 'owner', [id]);
  const at = '2026-11-01T00:00:00Z';
  const leases: number[] = [];
  const readTime = performance.now.bind(performance);
  let passedMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => readTime() + passedMs);
  const sendSlowly: SendMail = async () => {
    passedMs = 600_000;
    const [row] = await service.database.query<{ seconds: number }>(
      'select extract(epoch from max(due_at) - $1::timestamptz)::float8 as seconds from operator_mail',
      [at],
    );
    leases.push(row!.seconds);
  };
  await run(at, sendSlowly).finally(() => clock.mockRestore());
  expect(leases).toHaveLength(21);
  expect(leases[0]).toBeLessThan(600);
  expect(leases.at(-1)).toBeGreaterThan(600);
});

test.each([
  // In Berlin it is winter by then; Auckland is 13 hours ahead, and Honolulu 10 behind.
  ['Berlin', '2026-10-31T22:59:59.999Z', '2026-10-31T23:00:00.000Z'],
  ['Auckland', '2026-10-31T10:59:59.999Z', '2026-10-31T11:00:00.000Z'],
  ['Hawaii', '2026-11-01T09:59:59.999Z', '2026-11-01T10:00:00.000Z'],
])('a page in %s mails the report of a month when the next one begins there, once', async (timezone, before, at) => {
  const { id, path, owner } = await createReportedPage('Meridian', timezone);
  await createComponent(service, path, { name: 'Tracking <live>' });
  await signIn(service, 'publisher', [id]);
  expect(await run(before)).toBe(0);
  const counts = await Promise.all([run(at), run(at), run(at)]);
  expect(counts.toSorted()).toEqual([0, 0, 1]);
  expect(await run('2026-11-30T09:00:00Z')).toBe(0);
  expect(mails).toMatchObject([{ to: owner.email, subject: 'Report for October 2026: Meridian' }]);
  const { text, html } = mails[0]!;
  expect(text).toContain('No incidents, no maintenance.');
  expect(text).toContain(`https://console.example/console/pages/${id}/reports?month=2026-10`);
  expect(html).toContain('1 component without an outage.');
  expect(await run('2026-12-02T00:00:00Z')).toBe(1);
  expect(mails[1]!.subject).toBe('Report for November 2026: Meridian');
});

test('a page that moves to a zone in which it is still the month before mails nothing twice', async () => {
  const { path } = await createReportedPage('Meridian', 'Auckland');
  expect(await run('2026-10-31T12:00:00Z')).toBe(1);
  await service.patch(path, { timezone: 'Hawaii' });
  expect(await run('2026-11-01T12:00:00Z')).toBe(0);
});

test('the first report is that of the month in which it was switched on', async () => {
  const page = await createPage(service, { timezone: 'UTC' });
  await signIn(service, 'owner', [page.id]);
  const set = (isOn: boolean) =>
    service.graphql(
      `mutation { updatePage(id: "${page.id}", input: { shouldSendMonthlyReport: ${isOn} }) { page { id } } }`,
    );
  const now = new Date();
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
  expect(await run(next)).toBe(0);
  await set(true);
  expect(await run(now.toISOString())).toBe(0);
  expect(await run(next)).toBe(1);
  await set(false);
  expect(await run(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1)).toISOString())).toBe(0);
});

describe('a mail that cannot be sent', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 10, 1, 0, minutes)).toISOString();
  const recipients = () => mails.map(({ to }) => to);

  test('is sent later, and only to who has not got it', async () => {
    const { owner, id } = await createReportedPage('Northwind', 'UTC');
    const other = await signIn(service, 'owner', [id]);
    const refuseOne: SendMail = mail => (mail.to === owner.email ? refuse(mail) : send(mail));
    await expect(run(at(0), refuseOne)).rejects.toThrow('no mail server');
    expect(recipients()).toEqual([other.email]);
    expect(await run(at(0))).toBe(0);
    expect(await run(at(2))).toBe(1);
    expect(recipients()).toEqual([other.email, owner.email]);
    expect(await run(at(10_000))).toBe(0);
  });

  test('is given up after eight attempts, and the next month begins anew', async () => {
    await createReportedPage('Meridian', 'UTC');
    let attempts = 0;
    const count: SendMail = mail => {
      attempts += 1;
      return refuse(mail);
    };
    for (let day = 0; day < 12; day += 1) await run(at(day * 2_000), count).catch(() => 0);
    expect(attempts).toBe(8);
    expect(await run('2026-12-01T00:00:00Z')).toBe(1);
    expect(mails[0]!.subject).toBe('Report for November 2026: Meridian');
  });

  test('is not sent to who does not own the page any more', async () => {
    const { owner } = await createReportedPage('Meridian', 'UTC');
    await expect(run(at(0), refuse)).rejects.toThrow('no mail server');
    await service.database.query('delete from membership where person_id = $1', [owner.personId]);
    expect(await run(at(2))).toBe(0);
    expect(mails).toEqual([]);
  });

  test('holds up no other page, by a real SMTP server that refuses the owners of 100 pages', async () => {
    const { owner } = await createReportedPage('Meridian', 'UTC');
    const server = await startMailServer({ refuse: to => (to === owner.email ? 550 : undefined) });
    const channels = openChannels(createTestSettings({ smtpUrl: server.url, mailFrom: 'status@example.com' }));
    await service.database.query(
      `insert into page (id, name, timezone, send_monthly_report, reported_month, created_at, updated_at)
       select lpad(n::text, 8, '0'), 'Page ' || n, 'UTC', true, '2026-09', now(), now()
       from generate_series(1, 99) n`,
    );
    await service.database.query(
      `insert into membership (person_id, page_id, role) select $1, id, 'owner' from page where name like 'Page %'`,
      [owner.personId],
    );
    try {
      const { sendMail } = channels.confirmationSender;
      await expect(run(at(0), sendMail)).rejects.toThrow('550');
      const last = await createReportedPage('Northwind', 'UTC');
      await run(at(0), sendMail);
      expect(server.mails.map(({ to }) => to)).toEqual([[last.owner.email]]);
      expect(server.mails[0]!.raw).toMatch(/^Subject: Report for October 2026: Northwind\r$/m);
    } finally {
      await channels.close();
      await server.stop();
    }
  });
});
