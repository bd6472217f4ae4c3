import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { locales } from '../../../src/i18n/locales.js';

/** The console is compiled by its own tools: Node runs this file of it as it is. */
test('the settings of a page offer every language of the service', () => {
  const script = `import { groups } from './console/src/settings/fields.ts';
    const field = groups.flatMap(({ fields }) => fields).find(({ name }) => name === 'locale');
    process.stdout.write(JSON.stringify(Object.keys(field.kind)));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(JSON.parse(stdout).toSorted()).toEqual([...locales].toSorted());
});
