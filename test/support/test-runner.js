import { readFileSync } from 'node:fs';
import circus from 'jest-circus/runner';
import { importTestFile, sourceMaps } from './module-hooks.js';

const sharedClasses = [
  ...[Array, BigInt, Boolean, Date, Error, Function, Map],
  ...[Number, Object, Promise, RegExp, Set, String, Symbol],
];

/**
 * Runs a test file in the main context of the process, with Node's own module loader. Jest's loader would read, link
 * and evaluate all modules for each file, which takes two seconds.
 * Not jest-light-runner: it ignores the timeouts of tests, and a test that hangs would hang the whole run.
 */
export default async function runTestFile(globalConfig, config, environment, runtime, path, sendMessageToJest) {
  // Otherwise `expect.any(String)` would compare with the classes of a context in which no test runs.
  for (const type of sharedClasses) environment.global[type.name] = type;
  runtime.unstable_shouldLoadAsEsm = () => true;
  runtime.unstable_importModule = file =>
    importTestFile(file, runtime.requireModuleOrMock(file, '@jest/globals')).then(() => {
      for (const [url, map] of sourceMaps) runtime.getSourceMaps().set(url, map);
    });
  const startSeconds = readCpuSeconds();
  const result = await circus.default(globalConfig, config, environment, runtime, path, sendMessageToJest);
  // For the reporter.
  return { ...result, cpuSeconds: readCpuSeconds() - startSeconds };
}

/** The processor time of this process, and on Linux that of the processes that it started and that have ended. */
function readCpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + readCpuSecondsOfChildren();
}

function readCpuSecondsOfChildren() {
  if (process.platform !== 'linux') return 0;
  // Fields 16 and 17 of proc(5), in hundredths of a second; the second is a name in parentheses.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
