import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import swc from '@swc/core';
import Runtime from 'jest-runtime';

/**
 * Runs test files in the main context of the process, with Node's own module loader. Modules of src and node_modules
 * are loaded once a process, those of test once a file. Jest's loader would read, link and evaluate all of them for
 * each file, which takes two seconds. A file that sets environment variables or changes the state of modules still uses
 * it, with `@jest-environment ./test/support/isolated-environment.js`.
 */
const root = new URL('../../', import.meta.url);
const tests = new URL('test/', root).href;
const sources = new URL('src/', root).href;
const options = readFileSync(new URL('.swcrc', root), 'utf8');
const compiled = fileURLToPath(new URL('node_modules/.cache/tests/', root));
const globals = Symbol.for('jest.globals');
/** By URL. */
const sourceMaps = new Map();
let filesRun = 0;

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    const isTest = parentURL.startsWith(tests);
    if (!isTest && !parentURL.startsWith(sources)) return next(specifier, context);
    // The query is that of the test file: a module with another URL is evaluated again.
    const { search } = new URL(parentURL);
    if (specifier === '@jest/globals') return { url: `jest:globals${search}`, format: 'module', shortCircuit: true };
    const url = /^\.{1,2}\//.test(specifier) ? new URL(specifier.replace(/\.js$/, '.ts'), parentURL) : null;
    if (!url?.pathname.endsWith('.ts') || !existsSync(url)) return next(specifier, context);
    return {
      url: url.href.startsWith(tests) ? `${url.href}${search}` : url.href,
      format: 'module',
      shortCircuit: true,
    };
  },
  load(url, context, next) {
    const [fileUrl] = url.split('?');
    const isOurs = fileUrl.endsWith('.ts') && (fileUrl.startsWith(tests) || fileUrl.startsWith(sources));
    if (fileUrl === 'jest:globals') return { format: 'module', shortCircuit: true, source: renderGlobalsModule() };
    return isOurs
      ? { format: 'module', shortCircuit: true, source: compile(url, fileURLToPath(fileUrl)) }
      : next(url, context);
  },
});

const renderGlobalsModule = () =>
  `export const { ${Object.keys(globalThis[globals]).join(', ')} } = globalThis[Symbol.for('jest.globals')];`;

function compile(url, path) {
  const text = readFileSync(path, 'utf8');
  const target = join(compiled, createHash('sha256').update(options).update(path).update(text).digest('hex'));
  sourceMaps.set(url, `${target}.map`);
  if (!existsSync(target)) {
    const { code, map } = swc.transformSync(text, {
      ...JSON.parse(options),
      swcrc: false,
      filename: path,
      sourceMaps: true,
    });
    mkdirSync(compiled, { recursive: true });
    writeAtomically(`${target}.map`, map);
    writeAtomically(target, code);
  }
  return readFileSync(target, 'utf8');
}

/** Another process can compile the same file at the same time. */
function writeAtomically(path, text) {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

export default class extends Runtime {
  testGlobals = {};

  setGlobalsForRuntime(testGlobals) {
    super.setGlobalsForRuntime(testGlobals);
    this.testGlobals = testGlobals;
  }

  async unstable_importModule(path) {
    if (!this._environment.isShared) return super.unstable_importModule(path);
    globalThis[globals] = { ...this.testGlobals, jest: this.jestGlobals.jestObjectFor(path) };
    await import(`${pathToFileURL(path).href}?${++filesRun}`);
  }

  getSourceMaps() {
    return this._environment.isShared ? sourceMaps : super.getSourceMaps();
  }
}
