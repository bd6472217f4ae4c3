import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

test('the documents of the console are those that `npm run schema` writes', () => {
  const script = `import { generateDocuments } from './console/generate-documents.ts';
    process.stdout.write(await generateDocuments());`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toBe(readFileSync('console/src/api/documents.ts', 'utf8'));
});
