/** What every project has in common. */
const common = {
  runtime: '<rootDir>/test/support/runtime.js',
  testEnvironment: './test/support/shared-environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { swcrc: true }] },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};
const support = name => `<rootDir>/test/support/${name}.js`;

/** unit needs no database; database runs on the embedded one, or on TEST_DATABASE_URL; browser needs both a database and Chromium. */
const project = (displayName, globalSetup, globalTeardown) => ({
  ...common,
  displayName,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  globalSetup: support(globalSetup),
  ...(globalTeardown && { globalTeardown: support(globalTeardown) }),
});

export default {
  projects: [
    project('unit', 'compile'),
    project('database', 'create-database-template', 'remove-database-template'),
    project('browser', 'prepare-browser', 'report-browser'),
  ],
  maxWorkers: 2,
  // Jest workers keep what each test file leaves in memory; beyond this size a new process is faster.
  workerIdleMemoryLimit: '500MB',
  testTimeout: 60_000,
};
