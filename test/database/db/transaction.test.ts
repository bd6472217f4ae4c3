import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { Transaction } from '../../../src/db/committed-changes.js';
import { query } from '../../../src/db/prepared-statements.js';
import { inDryRun, inSavepoint, inTransaction } from '../../../src/db/transaction.js';
import { useService } from '../../support/service.js';

const service = useService();

/** The refusal of the second statement is seen first. */
const failLate = (em: Transaction) =>
  Promise.all([
    query(em, 'select 1 / 0').catch(async error => {
      await sleep(20);
      throw error;
    }),
    query(em, 'select 1'),
  ]);

test.each([
  ['a transaction', inTransaction],
  ['a dry run', inDryRun],
])('%s fails with the error of the statement that failed first', async (_, run) => {
  await expect(run(service.database, failLate)).rejects.toMatchObject({ code: '22012' });
});

test('a transaction goes on after a savepoint that failed, and fails with the later error', async () => {
  const work = async (em: Transaction) => {
    await expect(inSavepoint(em, inner => query(inner, `select 'x'::integer`))).rejects.toThrow('integer');
    await failLate(em);
  };
  await expect(inTransaction(service.database, work)).rejects.toMatchObject({ code: '22012' });
});
