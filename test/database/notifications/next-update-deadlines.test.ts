import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { remindOfDueUpdates } from '../../../src/notices/next-update/deadline.automation.js';
import { startWorker } from '../../../src/notifications/delivery/worker.js';
import { leaseAll, createPublishingPage } from '../../support/ledger.js';
import { askAs, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { createRecordingChannels } from '../../support/recording-channels.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { waitUntilEqual } from '../../support/wait-until-equal.js';
import { propertyRuns } from '../../support/property-runs.js';

const service = useOwnService({ ...withChannels, publicUrl: peopleOrigin });
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let author: SignedInPerson;
let owner: SignedInPerson;
beforeAll(async () => {
  author = await signIn(service, 'publisher');
});
beforeEach(async () => {
  await service.database.query('delete from publication');
  await service.database.query('delete from next_update_deadline');
  page = await createPublishingPage(service, {}, []);
  owner = await signIn(service, 'owner', [page.id]);
  await page.subscribe('reader@example.com');
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const openIncident = `mutation ($page: ID!, $by: Timestamp) {
  openIncident(pageId: $page, input: { subject: "Down", content: "We look.", nextUpdateBy: $by, shouldPublish: false }) {
    notice { id } } }`;
async function promise(by: 'author' | 'token' = 'author'): Promise<number> {
  const variables = { page: page.id, by: inAnHour() };
  const json =
    by === 'author'
      ? await askAs(service, author, openIncident, variables)
      : (await service.graphql(openIncident, variables)).json;
  return Number(json.data.openIncident.notice.id);
}
const makeDue = () =>
  service.database.query(`update next_update_deadline set due_at = clock_timestamp() - interval '1 second'`);
const remind = () => remindOfDueUpdates(service.database);
const recipients = async () => (await page.deliveries()).map(({ channel, address }) => [channel, address]);

describe('the reminder that an update is due', () => {
  test('goes to the person who promised it, when it is due, and to nobody else', async () => {
    await promise();
    expect(await remind()).toBe(0);
    await makeDue();
    expect(await remind()).toBe(1);
    expect(await recipients()).toEqual([['email', author.email]]);
  });

  test('goes to the owners of the page where a service token promised it, or a person without a role', async () => {
    await promise('token');
    await makeDue();
    await remind();
    expect(await recipients()).toEqual([['email', owner.email]]);
    const former = await signIn(service, 'publisher', [page.id]);
    await askAs(service, former, openIncident, { page: page.id, by: inAnHour() });
    await service.database.query('delete from membership where person_id = $1', [former.personId]);
    await makeDue();
    await remind();
    expect(await recipients()).toEqual(Array(2).fill(['email', owner.email]));
  });

  test('goes to the person of a personal token', async () => {
    const person = await signIn(service);
    const { data } = await askAs(
      service,
      person,
      `mutation { createToken(input: { label: "x", role: PUBLISHER, pageIds: ["${page.id}"] }) { secret } }`,
    );
    await service.graphql(openIncident, { page: page.id, by: inAnHour() }, { token: data.createToken.secret });
    await makeDue();
    await remind();
    expect(await recipients()).toEqual([['email', person.email]]);
    await service.database.query('delete from membership where person_id = $1', [person.personId]);
  });

  test('is made once, however many processes look for it at the same time', async () => {
    await promise();
    await makeDue();
    const counts = await Promise.all(Array.from({ length: 5 }, remind));
    expect(counts.reduce((sum, one) => sum + one)).toBe(1);
    expect(await remind()).toBe(0);
    expect(await recipients()).toHaveLength(1);
  });

  test('is not made once the update is there', async () => {
    const notice = await promise();
    await makeDue();
    await page.update(notice);
    expect(await remind()).toBe(0);
  });

  test('is not sent if the update has come since', async () => {
    const notice = await promise();
    await makeDue();
    await remind();
    await service.patch(`${page.path}/notices/${notice}`, { state: 'identified' });
    expect(await leaseAll(service.database)).toEqual([]);
    expect((await page.deliveries()).map(({ state, reason }) => [state, reason])).toEqual([['skipped', 'superseded']]);
  });

  test('is sent if the last update is from before the clock of the database was set back', async () => {
    const notice = await promise();
    await service.database.query(
      `update notice set last_update_at = last_update_at + interval '30 minutes' where id = $1`,
      [notice],
    );
    await makeDue();
    await remind();
    expect(await leaseAll(service.database)).toHaveLength(1);
  });

  test('counts as no publication of the notice: the next one announces it', async () => {
    const notice = await promise();
    await makeDue();
    await remind();
    const query = `{ publications(pageId: "${page.id}") { nodes { event publishedBy { kind label } } } }`;
    await page.update(notice);
    expect((await service.graphql(query)).json.data.publications.nodes).toEqual([
      { event: 'OPENED', publishedBy: { kind: 'TOKEN', label: expect.any(String) } },
      { event: 'UPDATE_DUE', publishedBy: { kind: 'AUTOMATION', label: 'reminder' } },
    ]);
  });

  describe('on its way', () => {
    const channels = createRecordingChannels();
    let stop: () => Promise<void>;
    beforeEach(() => {
      stop = startWorker(service.database, { adapters: channels.adapters, retryHours: 24 });
    });
    afterEach(() => stop());

    test('is a mail of the ledger, on a page without mails to subscribers, too', async () => {
      await service.patch(page.path, { send_notifications_by_email: false });
      await promise();
      await makeDue();
      await remind();
      await waitUntilEqual(async () => channels.sent.length, 1);
      const [{ snapshot, recipient }] = channels.sent as [(typeof channels.sent)[0]];
      expect(recipient).toMatchObject({ address: author.email, subscriberId: null, unsubscribe: null });
      expect(snapshot).toMatchObject({ event: 'update_due', notice: { subject: 'Down' } });
    });
  });
});

describe('nextUpdateDeadlines of a page', () => {
  const count = async (variables: object = {}) => {
    const { json } = await service.graphql(
      `query ($page: ID!, $from: Timestamp, $to: Timestamp) {
         page(id: $page) { nextUpdateDeadlines(beginsAt: $from, endsAt: $to) { made onTime late open } } }`,
      { page: page.id, ...variables },
    );
    return json.data?.page?.nextUpdateDeadlines ?? json.errors[0].message;
  };

  test('counts what came on time or late and what is open, by the updates of both APIs', async () => {
    for (const late of [true, false]) {
      await page.update(await promise(), 'Over /v1.');
      const notice = await promise();
      if (late) await makeDue();
      await service.graphql(
        `mutation ($page: ID!, $id: ID!) {
        advanceNotice(pageId: $page, id: $id, input: { state: RESOLVED, shouldPublish: false }) { notice { id } } }`,
        { page: page.id, id: notice },
      );
    }
    await promise();
    expect(await count()).toEqual({ made: 5, onTime: 2, late: 2, open: 1 });
  });

  test('agrees with a count in memory for any promises', async () => {
    const notice = await promise('token');
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const minutes = fc.integer({ min: -100, max: 100 });
    const promises = fc.array(
      fc.record({ promised: minutes, settled: fc.option(fc.integer({ min: -150, max: -1 })) }),
      { maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(promises, minutes, fc.option(minutes), async (made, from, to) => {
        await service.database.query('delete from next_update_deadline');
        for (const { promised, settled } of made)
          await service.database.query(
            `insert into next_update_deadline (page_id, notice_id, made_by, due_at, settled_at) values ($1, $2, 'x', $3, $4)`,
            [page.id, notice, at(promised + 0.5), settled === null ? null : at(settled)],
          );
        const expected = { made: 0, onTime: 0, late: 0, open: 0 };
        for (const { promised, settled } of made) {
          if (promised < from || (to !== null && promised >= to)) continue;
          expected.made += 1;
          if (settled !== null && settled <= promised) expected.onTime += 1;
          else if (settled !== null || promised < 0) expected.late += 1;
          else expected.open += 1;
        }
        expect(await count({ from: at(from), to: to === null ? null : at(to) })).toEqual(expected);
      }),
      propertyRuns(30),
    );
  });

  test('refuses times without an offset', async () => {
    expect(await count({ from: '2026-01-01T00:00:00' })).toContain('must have an offset');
  });
});
