import { beforeAll, describe, expect, test } from '@jest/globals';
import { openGroupSql } from '../../../src/alerts/handle-group.js';
import { expiredRows } from '../../../src/server/retention/expired-rows.js';
import { oldUnsubscribedSql } from '../../../src/subscribers/unsubscribed-address.js';
import { createComponent, createPage } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

/** Tables that are large enough for the planner to prefer an index, with the records of two pages. */
const service = useOwnService();
const ids: string[] = [];
const count = 5_000;
beforeAll(async () => {
  for (const name of ['One', 'Other']) {
    const { id, path } = await createPage(service, { name });
    ids.push(id);
    const component = await createComponent(service, path, { name: 'Payments' });
    await service.database.query(
      `with made as (
        insert into notice (page_id, type, subject, path, state, began_at, created_at, updated_at)
        select $1, 'unplanned', 'n' || n, $1 || n, 'resolved', now(), now(), now() from generate_series(1, $2::integer) n
        returning id)
      insert into notice_component select id, $3::integer from made`,
      [id, count, component.id],
    );
    await service.database.query(
      `insert into subscriber (page_id, email, consent_source, confirmed_at, created_at, updated_at)
      select $1, 's' || n || '@example.com', 'interface', now(), now(), now() from generate_series(1, $2::integer) n`,
      [id, count],
    );
    await service.database.query(
      `with source as (
         insert into alert_source (page_id, name, hash, last_four, rules, created_at, updated_at)
         select $1, 'Monitor', $1, 'abcd', '[]', now(), now() returning id)
       insert into alert_group (page_id, source_id, key, title, state, received_count, first_received_at, last_received_at, notice_id)
       select $1, source.id, n, 'Down', 'open', 1, now(), now(), case when n % 2 = 0 then n end
       from source, generate_series(1, $2::integer) n`,
      [id, count],
    );
  }
  await service.database.query('vacuum analyze');
});

/** Returns the plans of the statements that a request reads with. */
async function explain(path: string): Promise<string> {
  const { database } = service;
  const { read } = database;
  const statements: [text: string, values: unknown[]][] = [];
  database.read = (text, values) => {
    statements.push([text, values]);
    return read(text, values);
  };
  try {
    expect((await service.get(`/v1/pages/${ids[0]}/${path}`)).status).toBe(200);
  } finally {
    database.read = read;
  }
  return (await Promise.all(statements.map(([text, values]) => explainStatement(text, values)))).join('\n');
}

async function explainStatement(text: string, values: unknown[] = []): Promise<string> {
  const rows = await service.database.query<object>(`explain ${text}`, values);
  return rows.map(row => Object.values(row)[0]).join('\n');
}

describe('the plan of a list', () => {
  test('finds the notices in a state by an index, in their order', async () => {
    expect(await explain('notices?filter[state_eq]=cancelled')).toContain('using notice_page_id_state_id_index');
  });

  test('compares the names of the components of the page alone', async () => {
    const plan = await explain('notices?filter[components_name_eq]=Payments');
    expect(plan).toMatch(new RegExp(`on component t1.*\\n.*page_id = '${ids[0]}'`));
  });

  test('counts and sorts confirmed subscribers by an index', async () => {
    const plan = await explain('subscribers?page=2');
    expect(plan.match(/Index Only Scan.* using subscriber_confirmed_index/g)).toHaveLength(2);
  });

  test('skips the records of earlier pages in an index', async () => {
    expect(await explain('notices?page=150')).toMatch(
      /Limit.*\n +-> +Index Only Scan Backward using notice_page_id_id/,
    );
  });
});

test('the plan of an alert finds the other groups of its notice by an index', async () => {
  expect(await explainStatement(openGroupSql, [42])).toContain('using alert_group_notice_id_index');
});

describe('the plan of a deletion', () => {
  test('finds subscribers who did not confirm by an index', async () => {
    const { condition } = expiredRows.find(({ table }) => table === 'subscriber')!;
    const plan = await explainStatement(`select from subscriber t where ${condition}`);
    expect(plan).toContain('subscriber_unconfirmed_index');
  });

  test('finds subscribers who unsubscribed long ago by an index', async () => {
    expect(await explainStatement(oldUnsubscribedSql, [400])).toContain('subscriber_unsubscribed_at_index');
  });
});

test('the statements of the service are not compiled, which takes longer than to run them', async () => {
  const [row] = await service.database.query<{ jit: string }>('show jit');
  expect(row).toEqual({ jit: 'off' });
});
