import { existsSync } from 'node:fs';
import process from 'node:process';

/** Imported first by what is started from the command line: a `.env` here fills what the environment leaves open, before the settings are read. */
if (existsSync('.env')) process.loadEnvFile('.env');
