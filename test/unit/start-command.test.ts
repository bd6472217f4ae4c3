import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (path: string) => readFileSync(path, 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const [, variable, flags] = /^exec env (\S+) node (.*) dist\/main\.js$/.exec(scripts.start!)!;

test('the service starts with the same flags by npm, in a container and by hand', () => {
  expect(scripts.worker).toBe(scripts.start!.replace('main.js', 'worker.js'));
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toContain(` ${variable}\n`);
  expect(dockerfile).toContain(
    `CMD ${JSON.stringify(['node', ...flags!.split(' '), 'dist/main.js']).replaceAll(',', ', ')}`,
  );
  expect(read('docs/deployment.md')).toContain(`    ${variable} node ${flags} dist/main.js\n`);
});
