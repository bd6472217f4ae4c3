import { Migrator, migrationsList } from './dist/db/migrator.js';
import { createOrmConfiguration } from './dist/db/orm-options.js';
import { entities } from './dist/entities.js';

/**
 * For MikroORM's command line, `npx mikro-orm`, after `npm run build`. The service opens its database by the same
 * configuration, with its own connections.
 */
const { DATABASE_URL: clientUrl } = process.env;
if (!clientUrl?.startsWith('postgres'))
  throw new Error(
    'Set DATABASE_URL to a PostgreSQL server: the command line of MikroORM cannot open the embedded database.',
  );
export default createOrmConfiguration({
  entities,
  clientUrl,
  extensions: [Migrator],
  migrations: { migrationsList, tableName: 'migration', snapshot: false },
});
