import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { wrongSql } from '../../../src/notices/updates/correction.service.js';
import { fanOutNext } from '../../../src/notifications/delivery/fan-out.js';
import { skipStopped } from '../../../src/notifications/delivery/skip-stopped.js';
import { createPublishingPage, fanOutAll, leaseAll } from '../../support/ledger.js';
import { propertyRuns } from '../../support/property-runs.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService(withChannels);
const query = <Row>(sql: string, values: unknown[] = []) => service.database.query<Row>(sql, values);

interface Publication {
  id: number;
  update: number;
  corrects: number[] | null;
  isNotified: (choice: number) => boolean;
  isStopped: boolean;
}

const steps = ['publish', 'publish', 'correct', 'stop', 'delete', 'fanOut', 'fanOut', 'skip', 'send', 'send'] as const;
const stepsProperty = fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat(99)), { minLength: 10, maxLength: 40 });

/** By choice: everything, the first component, the second one, both. Each by mail and by SMS. */
const choices = [0, 1, 2, 3];

async function createRecipients(page: string, components: number[]): Promise<number[]> {
  const rows = await query<{ id: number }>(
    `insert into subscriber (page_id, email, phone_number, chose_components, consent_source, created_at, updated_at,
       confirmed_at)
     select $1, n || '@example.com', '+491511234567' || n, n > 0, 'interface', at, at, at
     from generate_series(0, 3) n, (select clock_timestamp() - interval '1 hour' as at) at returning id`,
    [page],
  );
  for (const choice of choices)
    await query('insert into subscriber_component (subscriber_id, component_id) select $1, unnest($2::int[])', [
      rows[choice]!.id,
      components.filter((_, bit) => choice & (1 << bit)),
    ]);
  return rows.map(({ id }) => id);
}

test('who was notified of an incident is notified of its end once, whatever was corrected, stopped and deleted', async () => {
  const property = async (given: (readonly [(typeof steps)[number], number])[]) => {
    await query('delete from publication');
    const page = await createPublishingPage(service, {}, []);
    const components = [await page.component('A'), await page.component('B')];
    const notice = await page.notice({ should_publish: false });
    const recipients = await createRecipients(page.id, components);
    const publications: Publication[] = [];
    const texts = new Map<number, string>();
    const sent: { id: number; of: string }[] = [];

    const publish = async (update: number, scope: number, corrects: number[] | null) => {
      const updates = [...texts].toReversed().map(([id, content]) => ({ id, content }));
      const [row] = await query<{ id: number }>(
        `insert into publication (page_id, notice_id, update_id, notice_type, event, made_by, message_snapshot, scope,
           corrects, created_at) values ($1, $2, $3, 'unplanned', $4, 'test', $5, $6, $7, clock_timestamp()) returning id`,
        [
          page.id,
          notice,
          update,
          corrects ? 'correction' : 'closed',
          JSON.stringify({ text: texts.get(update), updates: updates.slice(0, 10) }),
          scope ? components.filter((_, bit) => scope & (1 << bit)) : null,
          corrects,
        ],
      );
      const isNotified = (choice: number) => !scope || !choice || (scope & choice) > 0;
      publications.push({ id: row!.id, update, corrects, isNotified, isStopped: false });
    };
    const send = async (isSent: (at: number) => boolean) => {
      for (const [at, delivery] of (await leaseAll(service.database)).entries()) {
        const { id, publicationId, subscriberId, channel } = delivery;
        if (isSent(at)) sent.push({ id: publicationId, of: `${recipients.indexOf(subscriberId!)} ${channel}` });
        const state = isSent(at) ? 'sent' : 'retrying';
        await query(
          `update delivery set state = $2, lease = null, sent_at = now(), due_at = now() - interval '1 second' where id = $1`,
          [id, state],
        );
      }
    };
    const run: Record<(typeof steps)[number], (value: number) => Promise<unknown>> = {
      async publish(value) {
        const [row] = await query<{ id: number }>(
          `insert into notice_update (notice_id, content, should_publish, posted_at, created_at, updated_at)
           values ($1, 'New', true, now(), now(), now()) returning id`,
          [notice],
        );
        texts.set(row!.id, 'New');
        await publish(row!.id, value % 4, null);
      },
      async correct(value) {
        const id = [...texts.keys()][value % Math.max(1, texts.size)];
        if (id === undefined) return;
        texts.set(id, `Correction ${publications.length}`);
        await query('update notice_update set content = $2 where id = $1', [id, texts.get(id)]);
        const wrong = await query<{ id: number }>(wrongSql, [notice, id, texts.get(id)]);
        await publish(
          id,
          0,
          wrong.map(publication => publication.id),
        );
      },
      async stop(value) {
        const stopped = publications.at(-1 - (value % 2));
        if (!stopped) return;
        stopped.isStopped = true;
        await query('update publication set stopped_at = now() where id = $1', [stopped.id]);
      },
      async delete(value) {
        const id = [...texts.keys()][value % Math.max(1, texts.size)];
        if (id === undefined) return;
        texts.delete(id);
        await query('delete from notice_update where id = $1', [id]);
      },
      fanOut: () => fanOutNext(service.database),
      skip: value => skipStopped(service.database, 1 + (value % 9)),
      send: value => send(at => (value + at) % 3 > 0),
    };
    for (const [step, value] of given) await run[step](value);
    for (let open = 1; open; ) {
      await fanOutAll(service.database);
      while ((await skipStopped(service.database)).hasMore);
      await send(() => true);
      open = (await query(`select 1 from delivery where state in ('pending', 'sending', 'retrying')`)).length;
    }

    const end = publications.findLast(
      ({ corrects, isStopped, update }) => !corrects && !isStopped && texts.has(update),
    );
    for (const of of choices.flatMap(choice => [`${choice} email`, `${choice} sms`])) {
      const mine = sent
        .filter(message => message.of === of)
        .map(({ id }) => publications.find(each => each.id === id)!);
      const news = mine.filter(({ corrects }) => !corrects).map(({ id }) => id);
      expect(news).toEqual([...new Set(news)].toSorted((one, other) => one - other));
      if (!end) continue;
      // A mail has the earlier updates.
      const isNotified = (each: Publication) =>
        each.id >= end.id && (!each.corrects || of.endsWith('email') || each.update === end.update);
      const wasNotified = sent.some(({ id, of: other }) => id < end.id && other[0] === of[0]);
      if (wasNotified || end.isNotified(Number(of[0])))
        expect({ of, isNotified: mine.some(isNotified) }).toEqual({ of, isNotified: true });
    }
  };
  await fc.assert(fc.asyncProperty(stepsProperty, property), propertyRuns(40));
});
