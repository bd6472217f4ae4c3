import { settings } from './src/core/config.js';
import { configuration } from './src/db/connection.js';

/** For the command line of MikroORM: `npx mikro-orm migration:pending`, `schema:create --dump`. */
export default configuration(settings);
