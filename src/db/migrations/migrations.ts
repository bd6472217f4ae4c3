import { hash } from 'node:crypto';
import { initialSchema } from './20261201-initial.js';

interface Migration {
  name: string;
  /** SQL without extensions, so that it runs on the embedded database and on PostgreSQL. */
  statements: readonly string[];
}

/**
 * In the order in which they run. A released migration is never changed: a database stores its checksum. The list is
 * explicit, since `dist` may still hold files that the source no longer has.
 */
export const migrations: readonly Migration[] = [{ name: '20261201-initial', statements: initialSchema }];

export const computeChecksum = ({ statements }: Migration): string => hash('sha256', statements.join(';\n'));
