import { readFileSync } from 'node:fs';
import circus from 'jest-circus/runner';

/** Jest's own runner, which measures the processor time of a test file for the reporter. */
export default function runTestFile(...args) {
  const startSeconds = readCpuSeconds();
  // Without `await`, which would add this function to the stack of each error.
  return circus.default(...args).then(result => ({ ...result, cpuSeconds: readCpuSeconds() - startSeconds }));
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
