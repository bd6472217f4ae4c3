import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadSnapshot } from '../../../src/status-page/view/load-snapshot.js';
import type { PageSnapshot } from '../../../src/status-page/view/snapshot.js';
import { createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();
const named = 2_000;
let page: string;
let snapshot: PageSnapshot;

/** 30 incidents that ended, the first of them last, and one that is open, each of which names all components. */
beforeAll(async () => {
  page = (await createPage(service)).id;
  await service.database.query(
    `insert into component (created_at, updated_at, page_id, name, position)
     select now() - interval '1 year', now(), $1, 'Component ' || i, i from generate_series(1, $2::integer) i`,
    [page, named],
  );
  await service.database.query(
    `with made as (
       insert into notice (page_id, type, subject, state, created_at, updated_at, began_at, ended_at, path)
       select $1, 'unplanned', 'Incident ' || i, case when i > 0 then 'resolved' else 'investigating' end, now(), now(),
         now() - interval '1 day' * i - interval '1 hour', case when i > 0 then now() - interval '1 day' * i end,
         substr(md5(random()::text), 1, 16) || '-' || i
       from generate_series(0, 30) i returning id)
     insert into notice_component (notice_id, component_id, impact)
     select made.id, c.id, 'major-outage' from made, component c where c.page_id = $1`,
    [page],
  );
  snapshot = (await loadSnapshot(service.database, page))!;
});

const numberOf = ({ subject }: { subject: string }) => Number(subject.split(' ')[1]);

describe('a page whose notices name more than 50,000 components in all', () => {
  test('has them all of the open and the newest notices, and the first 50 of the others', () => {
    const counts = snapshot.notices
      .toSorted((one, other) => numberOf(one) - numberOf(other))
      .map(({ componentIds, impacts }) => [componentIds.length, Object.keys(impacts!).length]);
    expect(counts).toHaveLength(31);
    // The newest are the last that were created.
    expect(counts.filter(([count]) => count === named)).toHaveLength(25);
    expect(counts[0]).toEqual([named, named]);
    expect(counts.at(-1)).toEqual([named, named]);
    expect(counts[1]).toEqual([50, 50]);
  });

  test('has a history of the open notices and those that ended last, and says since when it is complete', () => {
    const { notices, completeSince } = snapshot.history!;
    expect(notices.map(({ componentIds }) => componentIds.length)).toEqual(notices.map(() => named));
    expect(notices.filter(({ endedAt }) => endedAt === null)).toHaveLength(1);
    expect(notices).toHaveLength(25);
    const firstLeftOut = snapshot.notices.find(notice => numberOf(notice) === 25)!;
    expect(completeSince).toBe(firstLeftOut.endedAt);
  });
});
