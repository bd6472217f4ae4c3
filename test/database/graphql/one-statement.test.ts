import { beforeAll, expect, test } from '@jest/globals';
import { databaseUnavailable } from '../../../src/db/database-errors.js';
import type { RunRead } from '../../../src/db/prepared-statements.js';
import { createPage } from '../../support/factories.js';
import { useService } from '../../support/service.js';

const service = useService();
let query: string;
/** Fields with a statement of their own. */
const names = ['a', 'b', 'c', 'd', 'e'];

beforeAll(async () => {
  const { id } = await createPage(service);
  const fields = names.map(name => `${name}: nextUpdateDeadlines { made }`);
  query = `{ page(id: "${id}") { ${fields.join(' ')} monthReports { month } more: monthReports { month } } }`;
});

async function askWith(run: (read: RunRead) => RunRead) {
  const { database } = service;
  const { read } = database;
  database.read = run(read);
  try {
    return (await service.graphql(query)).json;
  } finally {
    database.read = read;
  }
}

test('the fields of a record that have statements of their own are read one after another', async () => {
  let running = 0;
  const seen: number[] = [];
  const { errors } = await askWith(read => async (text, values) => {
    seen.push(++running);
    try {
      return await read(text, values);
    } finally {
      running -= 1;
    }
  });
  expect(errors).toBeUndefined();
  // The page, the deadlines, and two statements for each of the reports.
  expect(seen).toEqual(Array.from({ length: 1 + names.length + 4 }, () => 1));
});

test('after a statement that found the database unavailable none is sent', async () => {
  let sent = 0;
  const { errors } = await askWith(read => async (text, values) => {
    sent += 1;
    if (sent > 1) throw databaseUnavailable();
    return read(text, values);
  });
  expect(errors[0].extensions.code).toBe('UNAVAILABLE');
  expect(sent).toBe(2);
});
