import type { Settings } from '../core/config.js';
import type { Database } from '../db/connection.js';

/** What commands work on. */
export interface CommandContext {
  database: Database;
  settings: Settings;
}

/** The output of a command, and its exit code. */
export interface CommandResult {
  text: string;
  code: 0 | 1;
}
