import { type MigrateOptions, Migration, type MigrationInfo, Migrator as MigratorOfOrm } from '@mikro-orm/migrations';
import type { MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type pg from 'pg';
import { createClient } from './pool-options.js';
import { runPending } from './migrate.js';
import { migrations } from './migrations/migrations.js';

/** The migrations for MikroORM, which lists them, finds the pending ones, and compares the schema. */
export const migrationsList = migrations.map(({ name, statements }) => ({
  name,
  class: class extends Migration {
    override up(): void {
      for (const statement of statements) this.addSql(statement);
    }
  },
}));

/**
 * The migrator of MikroORM's command line. It migrates as the service does: with one lock for all processes and without
 * the timeouts of requests. A database of another version is refused before anything is written.
 * MikroORM loads its own where no extension has this name.
 */
export class Migrator extends MigratorOfOrm {
  static override register(orm: MikroORM): void {
    orm.config.registerExtension('@mikro-orm/migrator', () => new Migrator(orm.em as SqlEntityManager));
  }

  override async up(options?: MigrateOptions | string | string[]): Promise<MigrationInfo[]> {
    if (options && Object.values(options).some(Boolean)) throw new Error('Only all pending migrations can be run.');
    const pool = (await this.em.getConnection().getNativeClient()) as pg.Pool;
    const client = createClient(pool, { query_timeout: 0 });
    await client.connect();
    try {
      await client.query('begin');
      const run: MigrationInfo[] = [];
      await runPending(client, undefined, name => run.push({ name }));
      await client.query('commit');
      return run;
    } finally {
      await client.end();
    }
  }

  override down(): Promise<MigrationInfo[]> {
    throw new Error('A migration cannot be reverted. Restore a backup.');
  }
}
