import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The version of All Clear, such as `1.0.0`. */
export const { version } = manifest;

/** What /healthz responds. */
export const healthText = `ok ${version}\n`;
