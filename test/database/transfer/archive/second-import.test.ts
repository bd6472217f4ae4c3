import { expect, test } from '@jest/globals';
import { importFrom, useArchives } from '../../../support/archives.js';
import { createImport, removeSavedAnswers, saveAnswers, toCounts } from '../../../support/saved-answers.js';
import { useOwnService } from '../../../support/service.js';
import { createStatuspageAnswers } from '../../../support/statuspage-answers.js';

const service = useOwnService();
const archives = useArchives();
removeSavedAnswers();

test('a second import of another product after a move by an archive doubles nothing', async () => {
  const folder = saveAnswers(createStatuspageAnswers({ components: 5, incidents: 20, subscribers: 10 }));
  const { pageId } = await createImport(service).report('--from', 'statuspage', folder, '--yes');
  const [deleted] = await service.database.query<{ id: number }>(
    'delete from notice where id = (select max(id) from notice) returning id',
  );
  const database = await archives.openEmpty();
  await importFrom(database, await archives.write(service.database));
  const sources = () => database.query('select * from import_source order by kind, source_id');
  const before = await sources();
  expect(before).toContainEqual(expect.objectContaining({ kind: 'notice', record_id: 0 }));
  expect(before).not.toContainEqual(expect.objectContaining({ kind: 'notice', record_id: deleted!.id }));
  const target = createImport({ ...service, database });
  const report = await target.report('--from', 'statuspage', folder, '--page', pageId!, '--yes');
  for (const [kind, [created, changed]] of Object.entries(toCounts(report)))
    expect([kind, created, changed]).toEqual([kind, 0, 0]);
  expect(await sources()).toEqual(before);
});
