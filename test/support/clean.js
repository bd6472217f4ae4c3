import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

export default function clean() {
  if (process.env.TEST_DATABASE_DUMP) rmSync(dirname(process.env.TEST_DATABASE_DUMP), { recursive: true });
}
