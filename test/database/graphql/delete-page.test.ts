import { expect, test } from '@jest/globals';
import { countWritten } from '../../support/count-written.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();

const deletePage = async (id: string, version?: number) =>
  (
    await service.graphql(
      `mutation { deletePage(id: "${id}"${version === undefined ? '' : `, ifVersion: ${version}`}) { deletedId } }`,
    )
  ).json;

const insertSql = {
  delivery: `
    with pub as (
      insert into publication (page_id, notice_id, notice_type, event, made_by, message_snapshot, created_at)
      values ($1, 1, 'unplanned', 'created', 'a test', '{}', now()) returning id)
    insert into delivery (
      page_id, publication_id, notice_id, channel, recipient_key, address, created_at, queued_at, due_at, message_id)
    select $1, id, 1, 'email', n, n || '@example.com', now(), now(), now(), n from pub, generate_series(1, 2501) n`,
  subscriber: `
    insert into subscriber (page_id, email, consent_source, created_at, updated_at)
    select $1, n || '@example.com', 'interface', now(), now() from generate_series(1, 1001) n`,
  notice: `
    insert into notice (page_id, type, subject, path, created_at, updated_at)
    select $1, 'general', 'Notice ' || n, n, now(), now() from generate_series(1, 1001) n`,
};

test.each([
  ['delivery', 2_501, 1_000],
  ['subscriber', 1_001, 500],
  ['notice', 1_001, 500],
] as const)('deletes each %s of a page in batches, so that others need not wait', async (table, count, limit) => {
  const { id } = await createPage(service);
  const other = await createPage(service);
  for (const page of [id, other.id]) await service.database.query(insertSql[table], [page]);
  const batches = await countWritten(service, table, 'delete', async () =>
    expect(await deletePage(id)).toEqual({ data: { deletePage: { deletedId: id } } }),
  );
  expect(batches[0]).toBe(limit);
  const left = await service.database.query(
    `select page_id as "pageId", count(*)::integer as count from ${table} where page_id in ($1, $2) group by 1`,
    [id, other.id],
  );
  expect(left).toEqual([{ pageId: other.id, count }]);
});

test('deletes at most 2,000 rows at a time, with the updates of notices', async () => {
  const { id } = await createPage(service);
  await service.database.query(
    `with notices as (
       insert into notice (page_id, type, subject, path, created_at, updated_at)
       select $1, 'general', 'Notice ' || n, n, now(), now() from generate_series(1, 5) n returning id)
     insert into notice_update (notice_id, content, posted_at, created_at, updated_at)
     select id, 'An update', now(), now(), now() from notices, generate_series(1, 900)`,
    [id],
  );
  expect(await countWritten(service, 'notice', 'delete', () => deletePage(id))).toEqual([2, 2, 1]);
});

test('a page of another version keeps everything', async () => {
  const { id } = await createPage(service);
  await service.database.query(insertSql.subscriber, [id]);
  const { errors } = await deletePage(id, 99);
  expect(errors[0].extensions.code).toBe('PRECONDITION_FAILED');
  const [left] = await service.database.query('select count(*)::integer as count from subscriber where page_id = $1', [
    id,
  ]);
  expect(left).toEqual({ count: 1_001 });
});
