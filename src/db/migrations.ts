import { Migration } from '@mikro-orm/migrations';
import { initialSchema } from './migrations/20261120-initial.js';

/** A migration of plain SQL, without extensions, so that it runs on the embedded database and on PostgreSQL. */
const sqlMigration = (name: string, statements: readonly string[]) => ({
  name,
  class: class extends Migration {
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  },
});

/**
 * In the order in which they run; the table `migration` stores their names. A few statements stand here; more get a
 * file in `migrations/`. The list is explicit, since `dist` may still hold files that the source no longer has.
 */
export const migrations = [sqlMigration('20261120-initial', initialSchema)];
