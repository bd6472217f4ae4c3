import { pathToFileURL } from 'node:url';
import { TestEnvironment } from 'jest-environment-node';
import { importTestFile, releaseGlobals } from './module-hooks.js';

const sharedClasses = [
  Array,
  BigInt,
  Boolean,
  Date,
  Error,
  Function,
  Map,
  Number,
  Object,
  Promise,
  RegExp,
  Set,
  String,
  Symbol,
];

/**
 * Test files run in the main context of the process, with Node's own module loader: `import-test-file.cjs` calls it. Jest's
 * loader would link and evaluate all modules for each file, which takes two seconds: docs/decisions/test-harness.md.
 */
export default class NativeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    // Otherwise `expect.any(String)` would compare with the classes of a context in which no test runs.
    for (const type of sharedClasses) this.global[type.name] = type;
    this.global.importTestFile = globals => importTestFile(pathToFileURL(context.testPath), globals);
  }

  async teardown() {
    releaseGlobals();
    await super.teardown();
  }

  /** Editors read the path and the line of a failure from its stack, where Node names a URL with the query of a test file. */
  handleTestEvent({ name, test }) {
    if (name !== 'test_done') return;
    for (const error of test.errors.flat())
      if (error?.stack) error.stack = error.stack.replaceAll(/file:\/+(\S+?)\?\d+/g, '/$1');
  }
}
