export default {
  testEnvironment: './test/support/environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', { swcrc: true }] },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  globalSetup: '<rootDir>/test/support/build.js',
  globalTeardown: '<rootDir>/test/support/clean.js',
  maxWorkers: 2,
  // What a test file leaves in memory is never given back; beyond this a new process is faster than looking through it.
  workerIdleMemoryLimit: '1200MB',
  testTimeout: 60_000,
};
