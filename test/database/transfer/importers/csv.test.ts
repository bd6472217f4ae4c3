import { writeFileSync } from 'node:fs';
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
const save = (lines: string[]) => saveBytes(Buffer.from(lines.join('\r\n')));
function saveBytes(bytes: Buffer): string {
  const path = join(saveAnswers({}), 'list.csv');
  writeFileSync(path, bytes);
  return path;
}

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

test.each([
  ['Windows-1252', Buffer.from('email;first_name;last_name\r\njoerg@example.com;J\u00f6rg;M\u00fcller\r\n', 'latin1')],
  ['UTF-16', Buffer.from('\ufeffemail\tfirst_name\tlast_name\r\njoerg@example.com\tJörg\tMüller\r\n', 'utf16le')],
])('reads a list in %s', async (_, bytes) => {
  await report(saveBytes(bytes), '--from', 'csv', '--yes', '--page', page);
  const { response } = (await service.get(`/v1/pages/${page}/subscribers`)).json;
  expect(response).toMatchObject([{ email: 'joerg@example.com', first_name: 'Jörg', last_name: 'Müller' }]);
});

test('leaves out who left the list, and names the columns that it does not import', async () => {
  const path = save(['uuid,Email,Status', '1,in@example.com,Subscribed', '2,out@example.com,Cleaned']);
  const { leftOut } = await report(path, '--from', 'csv', '--yes', '--page', page);
  expect(leftOut.map(({ kind, sourceId, reason }) => `${kind} ${sourceId} ${reason}`)).toEqual([
    'field "uuid" is a column that is not imported',
    'subscriber in line 3 has left the list: `Status` is "Cleaned"',
  ]);
  expect((await describePage(service, page)).slice(2)).toEqual(['in@example.com']);
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
  expect((await run(save(['shoe size', '38']), '--from', 'csv', '--page', page)).error).toContain(
    'The list needs a column "email" or "phone_number" in its first line, which has "shoe size".',
  );
  const unreadable = saveBytes(Buffer.from([0x83, 0x81, 0x81, 0x5b, 0x0a]));
  expect((await run(unreadable, '--from', 'csv', '--page', page)).error).toContain('save it as "CSV UTF-8"');
  expect((await run(save(['email', 'a@example.com']), '--from', 'csv')).error).toContain('choose a page to add to');
});
