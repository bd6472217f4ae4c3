import { expect, test } from '@jest/globals';
import { inTransaction } from '../../../src/db/transaction.js';
import { startTestService } from '../../support/service.js';

test('a database that was closed opens no connection for a transaction that comes too late', async () => {
  const service = await startTestService();
  await service.stop();
  await expect(inTransaction(service.database, async () => {})).rejects.toThrow(
    'Cannot use a pool after calling end on the pool',
  );
});
