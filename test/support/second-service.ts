import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/core/logger.js';
import type { Settings } from '../../src/core/config.js';
import { openDatabase } from '../../src/db/database.js';
import { entities } from '../../src/entities.js';
import { createService, type Service } from '../../src/server/service.js';
import type { TestService } from './service.js';
import { createTestSettings } from './settings.js';

/** Starts another service on the same database, as a second process is; null on the embedded one, which has one process. */
export async function startSecondService(
  { database }: Pick<TestService, 'database'>,
  overrides: Partial<Settings> = {},
): Promise<Service | null> {
  const { url } = database as typeof database & { url: string | null };
  if (!url) return null;
  const dataDir = mkdtempSync(join(tmpdir(), 'all-clear-'));
  const settings = createTestSettings({ databaseUrl: url, databaseConnections: 4, dataDir, ...overrides });
  const service = await createService(settings, {
    database: await openDatabase({ settings, entities, log: createLogger('silent') }),
    load: { connections: Number.POSITIVE_INFINITY },
  });
  const stop = async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true });
  };
  return { ...service, stop };
}
