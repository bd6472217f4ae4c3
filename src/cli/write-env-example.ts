import { writeFileSync } from 'node:fs';
import { renderEnvExample } from '../core/config.js';

/** `npm run env-example`. */
writeFileSync('.env.example', renderEnvExample());
