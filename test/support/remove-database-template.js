import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

export default function removeDatabaseTemplate() {
  const { TEST_DATABASE_TEMPLATE: template } = process.env;
  if (template) rmSync(dirname(template), { recursive: true, force: true });
}
