import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import swc from '@swc/core';
import Runtime from 'jest-runtime';

/**
 * Test files run as the service does: in the process's own world, by Node's own loader. Modules of src and libraries are there once for all files of a process; those of
 * test are each file's own. Jest's loader reads, links and runs all of them for each file, which takes two seconds; a file that sets the environment or changes what
 * modules hold still asks for that, by `@jest-environment ./test/support/isolated-environment.js`.
 */
const root = new URL('../../', import.meta.url);
const tests = new URL('test/', root).href;
const sources = new URL('src/', root).href;
const options = readFileSync(new URL('.swcrc', root), 'utf8');
const compiled = fileURLToPath(new URL('node_modules/.cache/tests/', root));
const globals = Symbol.for('jest.globals');
/** By address. */
const sourceMaps = new Map();
let filesRun = 0;

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    const isTest = parentURL.startsWith(tests);
    if (!isTest && !parentURL.startsWith(sources)) return next(specifier, context);
    // Of the test file that all this is for: the same module at another address is another one.
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
    const [address] = url.split('?');
    const isOurs = address.endsWith('.ts') && (address.startsWith(tests) || address.startsWith(sources));
    if (address === 'jest:globals') return { format: 'module', shortCircuit: true, source: globalsSource() };
    return isOurs
      ? { format: 'module', shortCircuit: true, source: javaScript(url, fileURLToPath(address)) }
      : next(url, context);
  },
});

const globalsSource = () =>
  `export const { ${Object.keys(globalThis[globals]).join(', ')} } = globalThis[Symbol.for('jest.globals')];`;

function javaScript(url, path) {
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
    keep(`${target}.map`, map);
    keep(target, code);
  }
  return readFileSync(target, 'utf8');
}

/** Another process may compile the same at the same time. */
function keep(path, text) {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

export default class extends Runtime {
  given = {};

  setGlobalsForRuntime(given) {
    super.setGlobalsForRuntime(given);
    this.given = given;
  }

  async unstable_importModule(path) {
    if (!this._environment.isShared) return super.unstable_importModule(path);
    globalThis[globals] = { ...this.given, jest: this.jestGlobals.jestObjectFor(path) };
    await import(`${pathToFileURL(path).href}?${++filesRun}`);
  }

  getSourceMaps() {
    return this._environment.isShared ? sourceMaps : super.getSourceMaps();
  }
}
