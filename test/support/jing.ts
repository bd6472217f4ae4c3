import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a RELAX NG grammar finds wrong in documents; empty when they are all valid. One start of the validator for all of them, since it takes a second. */
export function complaintsOfJing(grammar: string, documents: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'all-clear-jing-'));
  try {
    const files = documents.map((document, index) => {
      const file = join(folder, `${index}.xml`);
      writeFileSync(file, document);
      return file;
    });
    const { error, status, stdout, stderr } = spawnSync('jing', ['-c', grammar, ...files], { encoding: 'utf8' });
    if (error) throw new Error('This test needs jing, a validator of XML: apt-get install jing', { cause: error });
    return status ? stdout + stderr || `jing ended with ${status}` : stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
