import { writeFileSync } from 'node:fs';
import { environmentExample } from '../core/config.js';

/** `npm run env-example`. */
writeFileSync('.env.example', environmentExample());
