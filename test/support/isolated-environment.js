import { TestEnvironment } from 'jest-environment-node';

/** By its length in bytes: there are two. */
const compiled = new Map();

/**
 * Where a test file sets the environment or changes what modules hold: `@jest-environment ./test/support/isolated-environment.js` gives it modules of its own. What all files of a worker share is the embedded database as machine code, which grows faster the longer
 * it runs; and a timer that a file leaves behind (the embedded database does) must not keep all of that file's memory.
 */
export default class extends TestEnvironment {
  timers = new Set();

  async setup() {
    await super.setup();
    const { setTimeout, WebAssembly } = this.global;
    this.global.setTimeout = Object.assign((...asked) => {
      const timer = setTimeout(...asked);
      this.timers.add(timer);
      return timer;
    }, setTimeout);
    const { instantiate, compile, Module } = WebAssembly;
    // One that another file's world made is no instance of this one's class, and is a module all the same.
    const isModule = value => Object.prototype.toString.call(value) === '[object WebAssembly.Module]';
    Object.defineProperty(Module, Symbol.hasInstance, { value: isModule });
    WebAssembly.instantiate = async (code, imports) => {
      if (isModule(code)) return instantiate(code, imports);
      if (!compiled.has(code.byteLength)) compiled.set(code.byteLength, await compile(code));
      const module = compiled.get(code.byteLength);
      return { module, instance: await instantiate(module, imports) };
    };
  }

  async teardown() {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    await super.teardown();
  }
}
