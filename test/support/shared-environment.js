import { TestEnvironment } from 'jest-environment-node';

/** The timers of the current file. The embedded database leaves one behind, which must not keep the process alive. */
let timers = [];
const { setTimeout } = globalThis;
globalThis.setTimeout = Object.assign((...args) => {
  const timer = setTimeout(...args);
  timers.push(timer);
  return timer;
}, setTimeout);

/** For runtime.js: gives `expect.any(String)` the classes of the context in which tests and the service run. */
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
