import { TestEnvironment } from 'jest-environment-node';

/** Those of the file that runs. The embedded database leaves one behind, which must not keep the process when there is nothing more to test. */
let timers = [];
const { setTimeout } = globalThis;
globalThis.setTimeout = Object.assign((...asked) => {
  const timer = setTimeout(...asked);
  timers.push(timer);
  return timer;
}, setTimeout);

/** For runtime.js: what expectations compare with (`expect.any(String)`) is of the world in which test files and the service run. */
export default class extends TestEnvironment {
  isShared = true;

  async setup() {
    await super.setup();
    for (const type of [
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
    ])
      this.global[type.name] = type;
  }

  async teardown() {
    for (const timer of timers) timer.unref();
    timers = [];
    await super.teardown();
  }
}
