export default {
  runtime: '<rootDir>/test/support/runtime.js',
  testEnvironment: './test/support/shared-environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { swcrc: true }] },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  globalSetup: '<rootDir>/test/support/build.js',
  globalTeardown: '<rootDir>/test/support/clean.js',
  maxWorkers: 2,
  // What a test file leaves in memory is never given back, and is looked through at every collection; beyond this a new process is faster.
  workerIdleMemoryLimit: '500MB',
  testTimeout: 60_000,
};
