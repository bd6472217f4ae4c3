import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const shown = 15;

/**
 * A reporter: prints the files that took longest, and writes all of them as JSON to the file that TEST_SECONDS_FILE names.
 * `cpuSeconds` comes from the test runner, and is without the browser and the database server.
 */
export default class SlowestFiles {
  #files = [];

  onTestResult({ path, context }, { perfStats, cpuSeconds, numPassingTests }) {
    this.#files.push({
      file: relative(context.config.rootDir, path),
      seconds: perfStats.runtime / 1000,
      cpuSeconds,
      tests: numPassingTests,
    });
  }

  onRunComplete() {
    const sorted = this.#files.toSorted((a, b) => b.seconds - a.seconds);
    if (process.env.TEST_SECONDS_FILE)
      writeFileSync(process.env.TEST_SECONDS_FILE, `${JSON.stringify(sorted, null, 2)}\n`);
    const total = {
      file: `all ${sorted.length} files`,
      seconds: sum(sorted, 'seconds'),
      cpuSeconds: sum(sorted, 'cpuSeconds'),
    };
    const lines = [...sorted.slice(0, shown), total].map(render);
    process.stderr.write(`\n${['seconds   CPU  slowest files', ...lines].join('\n')}\n`);
  }
}

const sum = (files, name) => files.reduce((total, file) => total + (file[name] ?? 0), 0);

const render = ({ file, seconds, cpuSeconds }) =>
  `${seconds.toFixed(1).padStart(7)} ${(cpuSeconds?.toFixed(1) ?? '-').padStart(5)}  ${file}`;
