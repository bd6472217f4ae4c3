import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findStaleAt } from '../../../src/notices/next-update/stale.rules.js';
import { remindOfStaleNotices } from '../../../src/notices/next-update/stale.automation.js';
import { plannedStates, unplannedStates } from '../../../src/notices/notice.states.js';
import { createPublishingPage, leaseAll } from '../../support/ledger.js';
import { askAs, peopleOrigin, signIn, type SignedInPerson } from '../../support/people.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';
import { propertyRuns } from '../../support/property-runs.js';

const service = useOwnService({ ...withChannels, publicUrl: peopleOrigin });
let page: Awaited<ReturnType<typeof createPublishingPage>>;
let author: SignedInPerson;
let owner: SignedInPerson;
beforeAll(async () => {
  author = await signIn(service, 'publisher');
});
beforeEach(async () => {
  await service.database.query('delete from page');
  page = await createPublishingPage(service, {}, []);
  owner = await signIn(service, 'owner', [page.id]);
  await page.subscribe('reader@example.com');
});

const remind = () => remindOfStaleNotices(service.database);
const open = async (mutation = 'openIncident', input = '') => {
  const { data } = await askAs(
    service,
    author,
    `mutation { ${mutation}(pageId: "${page.id}", input: { subject: "Down" shouldPublish: false ${input} }) { notice { id } } }`,
  );
  return Number(data[mutation].notice.id);
};
const times = ['last_update_at', 'began_at', 'begins_at', 'ends_at', 'next_update_by'];
/** Has everything happened earlier. */
const age = (minutes: number) =>
  service.database.query(
    `update notice set ${times.map(time => `${time} = ${time} - interval '${minutes} minutes'`).join(', ')} where page_id = $1`,
    [page.id],
  );
const recipients = async () => (await page.deliveries()).map(({ address }) => address);
const read = async (field: string) => (await service.graphql(`{ page(id: "${page.id}") { ${field} } }`)).json.data.page;

describe('A notice that is open and has no update', () => {
  test('has its author asked after two hours, and the owners after two more, by mail and nobody else', async () => {
    await open();
    await age(119);
    expect(await remind()).toBe(0);
    await age(2);
    expect(await Promise.all([remind(), remind()])).toEqual(expect.arrayContaining([1, 0]));
    expect(await recipients()).toEqual([author.email]);
    await age(118);
    expect(await remind()).toBe(0);
    await age(2);
    expect(await remind()).toBe(1);
    expect(await recipients()).toEqual([author.email, owner.email]);
    await age(10_000);
    expect(await remind()).toBe(0);
    const { publications } = (
      await service.graphql(
        `{ publications(pageId: "${page.id}") { nodes { event text publishedBy { kind label } } } }`,
      )
    ).json.data;
    expect(publications.nodes[1]).toEqual({
      event: 'UPDATE_DUE',
      publishedBy: { kind: 'AUTOMATION', label: 'reminder' },
      text: expect.stringMatching(/^No update for 2 hours/),
    });
  });

  test.each([
    ['an update', (id: number) => page.update(id)],
    ['another state', (id: number) => service.patch(`${page.path}/notices/${id}`, { state: 'identified' })],
  ])('counts anew after %s, and the reminder on its way is not sent', async (_, change) => {
    const id = await open();
    await age(130);
    await remind();
    await change(id);
    expect(await leaseAll(service.database)).toEqual([]);
    expect(await page.deliveries()).toMatchObject([{ state: 'skipped', reason: 'superseded' }]);
    expect(await remind()).toBe(0);
    await age(130);
    expect(await remind()).toBe(1);
  });

  test('is not asked about because of an edit of its subject, once it is over, or where the page has no such time', async () => {
    const id = await open();
    await age(130);
    await service.patch(`${page.path}/notices/${id}`, { subject: 'Still down' });
    expect(await remind()).toBe(1);
    await service.patch(`${page.path}/notices/${id}`, { state: 'resolved' });
    await age(500);
    expect(await remind()).toBe(0);
    await open();
    await service.graphql(`mutation { updatePage(id: "${page.id}", input: { staleAfterMinutes: 0 }) { page { id } } }`);
    await age(500);
    expect(await remind()).toBe(0);
    expect(await read('staleAfterMinutes notices { nodes { staleAt } }')).toEqual({
      staleAfterMinutes: 0,
      notices: { nodes: [{ staleAt: null }, { staleAt: null }] },
    });
  });

  test('has the time that its promise leaves, and the time of its page after that', async () => {
    await open('openIncident', `nextUpdateBy: "${new Date(Date.now() + 3_600_000).toISOString()}"`);
    await age(170);
    expect(await remind()).toBe(0);
    await age(11);
    expect(await remind()).toBe(1);
  });

  test('is a maintenance from half an hour after its end on', async () => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    await open('scheduleMaintenance', `beginsAt: "${at(60)}" endsAt: "${at(600)}"`);
    await age(629);
    expect(await remind()).toBe(0);
    await age(2);
    expect(await remind()).toBe(1);
  });
});

test('the rule is the same in SQL', async () => {
  const id = await open();
  const minutes = fc.integer({ min: -300, max: 300 });
  const notice = fc.oneof(
    fc.record({ type: fc.constant('unplanned' as const), state: fc.constantFrom(...unplannedStates) }),
    fc.record({ type: fc.constant('planned' as const), state: fc.constantFrom(...plannedStates) }),
  );
  await fc.assert(
    fc.asyncProperty(
      ...([notice, minutes, fc.option(minutes), minutes, fc.constantFrom(0, 1, 120)] as const),
      async ({ type, state }, updated, promised, ends, staleAfterMinutes) => {
        const at = (offset: number) => new Date(1_800_000_000_000 + offset * 60_000);
        const endsAt = type === 'planned' ? at(ends) : null;
        const nextUpdateBy = promised === null ? null : at(promised);
        await service.database.query(
          `update notice set type = $2, state = $3, last_update_at = $4, next_update_by = $5, ends_at = $6 where id = $1`,
          [id, type, state, at(updated), nextUpdateBy, endsAt],
        );
        await service.database.query('update page set stale_after_minutes = $2 where id = $1', [
          page.id,
          staleAfterMinutes,
        ]);
        const { notices } = await read('notices { nodes { staleAt } }');
        const expected = findStaleAt(
          { type, state, endsAt, lastUpdateAt: at(updated), nextUpdateBy },
          staleAfterMinutes,
        );
        expect(notices.nodes[0].staleAt).toBe(expected?.toISOString() ?? null);
      },
    ),
    propertyRuns(60),
  );
});
