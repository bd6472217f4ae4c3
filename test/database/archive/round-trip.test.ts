import { expect, test } from '@jest/globals';
import { loadLinkKey } from '../../../src/auth/link-key.service.js';
import { kinds, omittedTables } from '../../../src/archive/kinds.js';
import { listTables } from '../../../src/backup/digest.js';
import { createPageOfAllKinds, fileNames, importFrom, readFiles, useArchives } from '../../support/archives.js';
import { createPage, createSubscriber } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';
import { withChannels } from '../../support/settings.js';

const service = useOwnService(withChannels);
const archives = useArchives();

test('a page of all kinds is exported, imported into an empty installation, and exported the same', async () => {
  const id = await createPageOfAllKinds(service);
  await createPage(service, { name: 'Other' });
  const exported = await readFiles(await archives.write(service.database, [id]));
  expect([...exported.keys()]).toEqual([...fileNames, 'manifest.json']);
  expect([...exported].filter(([, text]) => !text).map(([name]) => name)).toEqual([]);
  const target = await archives.openEmpty();
  const { pages } = await importFrom(target, await archives.write(service.database, [id]));
  expect(pages).toMatchObject([{ id, name: 'Acme' }]);
  expect(await loadLinkKey(target, id)).toEqual(await loadLinkKey(service.database, id));
  const again = await readFiles(await archives.write(target));
  const { createdAt, ...manifest } = JSON.parse(exported.get('manifest.json')!);
  expect(JSON.parse(again.get('manifest.json')!)).toMatchObject(manifest);
  expect(createdAt).toMatch(/^\d{4}-/);
  exported.delete('manifest.json');
  for (const [name, text] of exported) expect([name, again.get(name)]).toEqual([name, text]);
});

test('an archive of all pages has those of every page, in a new installation with the ids that follow', async () => {
  const first = await createPage(service, { name: 'First' });
  await createSubscriber(service, first.path);
  const target = await archives.openEmpty();
  await importFrom(target, await archives.write(service.database));
  const ids = (statement: string) => Promise.all([service.database, target].map(({ query }) => query(statement)));
  const [before, after] = await ids('select id, change_count from page order by 1');
  expect(after).toEqual(before);
  for (const table of ['component', 'notice', 'notice_update', 'subscriber']) {
    const [one, other] = await ids(`select max(id) as last, nextval('${table}_id_seq')::integer as next from ${table}`);
    expect(other).toEqual(one);
  }
  expect(await target.query('select count(*)::integer as count from publication')).toEqual([{ count: 0 }]);
});

test('every table and every column is in an archive, or is left out for a reason', async () => {
  const run = service.database.query;
  const tables = await listTables(run);
  const exported = Object.values(kinds).map(({ table }) => table);
  expect([...exported, ...Object.keys(omittedTables)].toSorted()).toEqual(tables);
  const columns = await run<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = current_schema() and table_name = any($1)`,
    [exported],
  );
  const fields = Object.values(kinds).flatMap(({ table, fields }) =>
    Object.entries(fields).map(([name, field]) => `${table}.${('column' in field && field.column) || name}`),
  );
  expect(
    columns
      .map(({ name }) => name)
      .filter(name => !fields.includes(name))
      .toSorted(),
  ).toEqual([
    'alert_source.hash',
    'alert_source.secret',
    'audit_entry.id',
    'audit_entry.publication_id',
    'channel_target.target',
    'membership.id',
    'next_update_deadline.id',
    'notice.last_update_by',
    'page.password_hash',
    'page.reported_month',
    'person.disabled_at',
    'person.id',
    'recipient_refusals.id',
    'recipient_refusals.webhook_id',
    // The result of the last request: the installation that imports it asks again.
    ...['upstream.etag', 'upstream.failure', 'upstream.failures', 'upstream.last_modified', 'upstream.next_poll_at'],
  ]);
});
