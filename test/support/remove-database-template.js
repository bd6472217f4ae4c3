import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

export default function removeDatabaseTemplate() {
  const { TEST_DATABASE_DUMP: dump } = process.env;
  if (dump) rmSync(dirname(dump), { recursive: true, force: true });
}
