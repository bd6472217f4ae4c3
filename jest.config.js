import { availableParallelism } from 'node:os';

const support = name => `<rootDir>/test/support/${name}.js`;

/**
 * The tests of the database project that may differ on the embedded database: it has one connection and a process of its
 * own, sorts by its own collation and has other processes only as clients. One file a resource shows the rest.
 */
export const embeddedSubset = [
  '{db,notifications,server}/*',
  'access/role-matrix',
  'transfer/archive/round-trip',
  'people/audit/audit-log',
  'graphql/{idempotency,import-subscribers,lists,live-reads,mutations,queries,subscriptions,unstorable-text}',
  'people/{people,sessions}',
  'rest/{automation,brand,components,concurrency,filters,notices,pages,pagination,subscribers,templates,theme,updates}',
  'people/sign-in/email-code',
  'status-page/{daylight-saving,events,export,handler,notice-orders,theme}',
  'subscribe/email',
];

/** The files that `npm test` leaves out, and why. A run that names one runs it, and `npm run test:all` runs all. */
export const leftOut = {
  'database/db/orm-commands': 'starts the command line of MikroORM ten times',
  'database/db/silent-connections': 'waits for timeouts of connections',
  'database/notifications/unsubscribe-race': 'waits for timeouts of locks',
  'database/notifications/week-of-outages': 'three outages of a week, by a real mail server',
  'database/server/rehearsal': 'backup, restore and move, each a process',
  'database/server/silent-database': 'waits for timeouts of connections',
  'database/server/start-on-postgres': 'starts processes',
  'database/server/worker-signals': 'starts processes',
  'database/status-page/database-outage': 'starts processes without their database',
  'process/commands': 'starts each command as a process',
  'process/interrupted-import': 'kills processes while they import',
  'process/start': 'starts processes in every way',
  'unit/db/damaged-database': 'starts processes on a damaged database',
  'unit/status-page/themes/hostile-themes': 'each theme ends in a process that is killed',
};

/**
 * unit needs no database, but where it tests the embedded one; database uses PostgreSQL from npm, or TEST_DATABASE_URL;
 * process starts the commands as users do, on the embedded database; browser needs a database and Chromium;
 * clients needs a database and `npm ci --prefix test/clients`.
 */
const project = (displayName, globalSetup, globalTeardown) => ({
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  testRunner: support('test-runner'),
  testEnvironment: support('native-environment'),
  setupFilesAfterEnv: ['<rootDir>/test/support/import-test-file.cjs'],
  transform: { '\\.test\\.ts$': '<rootDir>/test/support/empty-file.cjs' },
  // For --onlyChanged and --findRelatedTests: imports name the compiled file.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  globalSetup: support(globalSetup),
  ...(globalTeardown && { globalTeardown: support(globalTeardown) }),
});

export default {
  projects: [
    project('unit', 'compile'),
    project('database', 'create-database-template', 'remove-database-template'),
    project('process', 'compile'),
    project('browser', 'prepare-browser', 'report-browser'),
    project('clients', 'create-database-template', 'remove-database-template'),
  ],
  filter: './test/support/choose-files.cjs',
  reporters: ['default', support('report-seed'), support('slowest-files'), support('report-left-out')],
  testSequencer: support('test-sequencer'),
  // Each takes up to 1.5 GB.
  maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
  // Jest workers keep what each test file leaves in memory; beyond this size a new process is faster.
  workerIdleMemoryLimit: '800MB',
  testTimeout: 60_000,
};
