import process from 'node:process';
import { readSettings } from './src/core/config.js';
import { createOrmConfiguration } from './src/db/connection.js';
import { entities } from './src/entities.js';

/** For MikroORM's command line: `npx mikro-orm migration:pending`, `schema:create --dump`. */
export default createOrmConfiguration({ settings: readSettings(process.env), entities });
