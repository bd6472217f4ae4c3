import { readSettings, type Settings } from '../../src/core/config.js';

/** The default settings, independent of the environment, for a service on a free port that logs nothing. */
export const createTestSettings = (overrides: Partial<Settings> = {}): Settings => ({
  ...readSettings({}),
  port: 0,
  logLevel: 'silent',
  dataDir: 'memory://',
  worker: false,
  automation: false,
  // All requests of the tests come from one address.
  rateLimit: 0,
  // Without it a service creates a first token.
  bootstrapToken: 'bootstrap-token-of-the-tests-0123456789',
  ...overrides,
  // Links in responses have the port of the default settings, whatever port the test service listens on.
  publicUrl: overrides.publicUrl ?? 'http://localhost:3000',
});

/** E-mail and SMS are configured, and channels of pages may reach receivers of the tests. Nothing listens there. */
export const withChannels = {
  smtpUrl: 'smtp://127.0.0.1:1',
  mailFrom: 'status@example.com',
  smsUrl: 'http://AC1:sms-secret@127.0.0.1:1',
  smsFrom: '+15005550006',
  allowPrivateTargets: true,
} satisfies Partial<Settings>;
