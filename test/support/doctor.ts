import type { Settings } from '../../src/core/config.js';
import type { DoctorContext } from '../../src/server/doctor/check.js';
import { createTestSettings } from './settings.js';

/** What a check gets: no database, and no record in DNS. */
export const createDoctorContext = (
  settings: Partial<Settings> = {},
  overrides: Partial<DoctorContext> = {},
): DoctorContext => ({
  settings: createTestSettings(settings),
  environment: {},
  database: Promise.resolve(null),
  resolveTxt: async () => [],
  ...overrides,
});
