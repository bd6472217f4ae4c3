import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The browser of the machine: `CHROMIUM`, else the first on the PATH. Null where there is none. */
export function chromiumPath(): string | null {
  const names = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap(folder => ['chromium', 'chromium-browser', 'google-chrome'].map(name => join(folder, name)));
  return [process.env.CHROMIUM ?? '', ...names].find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}

/** In a container there is no sandbox to be had; the rest keeps it from calling home. */
export const chromiumArguments = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];
