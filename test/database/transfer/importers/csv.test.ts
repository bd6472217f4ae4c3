import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { createComponent, createPage } from '../../../support/factories.js';
import { describePage } from '../../../support/imported-pages.js';
import { useService } from '../../../support/service.js';
import { createImport, removeSavedAnswers, saveAnswers, toCounts } from '../../../support/saved-answers.js';

const service = useService();
const { run, report } = createImport(service);
removeSavedAnswers();

let page: string;
let api: number;
beforeEach(async () => {
  page = (await createPage(service, { name: 'Meridian' })).id;
  api = (await createComponent(service, `/v1/pages/${page}`, { name: 'API' })).id;
});
const save = (lines: string[]) => join(saveAnswers({ 'list.csv': lines.join('\r\n') }), 'list.csv');

test.each<[string, () => string[], string[], string[]]>([
  [
    "the columns of this service's own export",
    () => ['email,phone_number,component_ids,kinds', `anna@example.com,'+4930123456,${api},planned`, 'nobody,,,'],
    ['anna@example.com +4930123456 API'],
    ['in line 3 `email` must be an e-mail address, not "nobody".'],
  ],
  [
    "the form of Statuspage's import",
    () => ['email,anna@example.com,yes', 'sms,0171 2345678,DE,no', 'slack,x'],
    ['anna@example.com', '+491712345678'],
    ['in line 3 has the channel slack, which cannot be moved'],
  ],
  [
    'the columns of others',
    () => ['Email;Phone;Confirmed;Created At', 'anna@example.com;;true;2024-05-06T07:08:09Z', 'b@example.com;;false;'],
    ['anna@example.com'],
    ['in line 3 has not confirmed the subscription'],
  ],
])('a list in %s', async (_, lines, subscribers, leftOut) => {
  const path = save(lines());
  const first = await report(path, '--from', 'csv', '--yes', '--page', page);
  expect(first.leftOut.map(({ sourceId, reason }) => `${sourceId} ${reason}`)).toEqual(leftOut);
  expect((await describePage(service, page)).slice(2)).toEqual(subscribers);
  const again = await report(path, '--from', 'csv', '--yes', '--page', page);
  expect(toCounts(again).subscriber).toEqual([0, 0, subscribers.length, leftOut.length]);
});

test('keeps the time of the consent', async () => {
  const path = save(['email,confirmed_at', 'anna@example.com,2024-05-06T07:08:09Z']);
  await report(path, '--from', 'csv', '--yes', '--page', page);
  const rows = await service.database.query(
    'select confirmed_at as at, consent_source as source from subscriber where page_id = $1',
    [page],
  );
  expect(rows).toEqual([{ at: '2024-05-06 07:08:09+00', source: 'CSV import' }]);
});

test('refuses a list without addresses, and one without a page', async () => {
  expect((await run(save(['shoe size', '38']), '--from', 'csv', '--page', page)).error).toContain('needs a column');
  expect((await run(save(['email', 'a@example.com']), '--from', 'csv')).error).toContain('choose a page to add to');
});
