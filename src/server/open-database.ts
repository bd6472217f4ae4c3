import type { Settings } from '../core/config.js';
import type { Logger } from '../core/logger.js';
import { type Database, openDatabase } from '../db/database.js';
import { entities } from '../entities.js';

export const openServiceDatabase = (settings: Settings, log: Logger): Promise<Database> =>
  openDatabase({ settings, entities, log });
