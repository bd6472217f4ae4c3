import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { mutations } from '../../support/root-operations.js';

test('the audit log of the console has a phrase for every mutation', () => {
  const script = `import { phrases } from './console/src/audit/phrases.ts';
    console.log(JSON.stringify(Object.keys(phrases)));`;
  const written = execFileSync(process.execPath, ['--input-type=module-typescript', '--eval', script], {
    encoding: 'utf8',
  });
  expect(JSON.parse(written)).toEqual(expect.arrayContaining(mutations.map(({ name }) => name)));
});
