import { expect, test } from '@jest/globals';
import { migrate } from '../../../src/db/migrate.js';
import { createNotice, createPage, createUpdate } from '../../support/factories.js';
import { useOwnService } from '../../support/service.js';

const service = useOwnService();

test('the migrations create the schema that the entities describe', async () => {
  expect(await service.database.orm.schema.getUpdateSchemaSQL({ safe: false, dropTables: true })).toBe('');
});

test('updates of earlier versions get the state that publications, times and the notice tell', async () => {
  const page = (await createPage(service)).path;
  const create = (values: object) => createNotice(service, page, { should_publish: true, ...values });
  const comment = (path: string, content: string, should_publish = false) =>
    createUpdate(service, path, { content, should_publish });

  const incident = await create({ initial_comment: 'published' });
  await service.patch(incident.path, { state: 'identified', additional_comment: 'published', should_publish: true });
  await comment(incident.path, 'after a publication');
  await service.patch(incident.path, { state: 'false_alarm', additional_comment: 'at the end' });
  await comment(incident.path, 'after the end');

  const open = await create({ initial_comment: 'unpublished', should_publish: false });
  await service.patch(open.path, { state: 'recovering', additional_comment: 'the latest' });

  const window = { type: 'planned', begins_at: '2099-01-01', ends_at: '2099-01-02', should_publish: false };
  const planned = await create({ ...window, initial_comment: 'before the begin' });
  await service.patch(planned.path, { state: 'underway', additional_comment: 'at the begin' });
  await service.patch(planned.path, { state: 'complete' });
  const cancelled = await create({ ...window, initial_comment: 'before' });
  await service.patch(cancelled.path, { state: 'cancelled', additional_comment: 'at the end' });

  await create({ type: 'general', initial_comment: 'no state' });

  const readStates = () =>
    service.database.query<{ content: string; state: string | null }>(
      'select content, state from notice_update order by id',
    );
  const expected = await readStates();
  await service.database.query('alter table notice_update drop column state');
  await service.database.query(`delete from migration where name = '20261122-update-state'`);
  await migrate(service.database);
  expect(await readStates()).toEqual(expected);
  expect(new Set(expected.map(({ state }) => state)).size).toBe(8);
});
