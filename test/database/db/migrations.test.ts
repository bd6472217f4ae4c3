import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../../src/db/connection.js';
import { openTestDatabase } from '../../support/database.js';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('the migrations create the schema that the entities describe', async () => {
  expect(await database.orm.schema.getUpdateSchemaSQL({ safe: false, dropTables: true })).toBe('');
});
