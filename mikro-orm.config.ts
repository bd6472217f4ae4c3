import { settings } from './src/config.js';
import { configuration } from './src/db/orm.js';

/** For the command line of MikroORM: `npx mikro-orm migration:pending`, `schema:create --dump`. */
export default configuration(settings);
