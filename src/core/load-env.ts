import { existsSync } from 'node:fs';
import process from 'node:process';

/** Loads `.env` from the working directory into the environment, whose own variables take precedence. */
export function loadEnvironmentFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
