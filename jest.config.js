import { availableParallelism } from 'node:os';

const support = name => `<rootDir>/test/support/${name}.js`;

/**
 * unit needs no database, but where it tests the embedded one; database uses that, or TEST_DATABASE_URL; process starts
 * the commands as users do, on the embedded database; browser needs a database and Chromium.
 */
const project = (displayName, globalSetup, globalTeardown) => ({
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  testRunner: support('test-runner'),
  transform: {},
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
  ],
  testSequencer: support('test-sequencer'),
  // Each takes up to 1.5 GB.
  maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
  // Jest workers keep what each test file leaves in memory; beyond this size a new process is faster.
  workerIdleMemoryLimit: '800MB',
  testTimeout: 60_000,
};
