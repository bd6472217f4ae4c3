import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { LaunchOptions } from 'playwright-core';

/** Containers have no sandbox; the other switches stop requests to other hosts. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser of `CHROMIUM`, else the first on the PATH, else the one that npm installed. */
export async function findBrowser(): Promise<LaunchOptions> {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap(folder => names.map(name => join(folder, name)));
  const executablePath = [process.env.CHROMIUM ?? '', ...onPath].find(isExecutable);
  return executablePath ? { executablePath, args } : bundledBrowser();
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return path !== '';
  } catch {
    return false;
  }
}

/** Chromium with the shared libraries and fonts that a bare machine lacks, unpacked once to a folder of its version. */
async function bundledBrowser(): Promise<LaunchOptions> {
  const { inflate } = await import('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync('node_modules/@sparticuz/chromium/package.json', 'utf8'));
  const folder = resolve('node_modules/.cache', `chromium-${version}`);
  if (!existsSync(folder)) await unpack(inflate, folder);
  const libraries = [join(folder, 'al2023/lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return {
    executablePath: join(folder, 'chromium'),
    args: [...args, '--headless=shell', '--no-zygote'],
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(folder, 'fonts') },
  };
}

/** The package unpacks to the temporary folder of the process: it gets one of ours, which is renamed when it is complete. */
async function unpack(inflate: (archive: string) => Promise<string>, folder: string): Promise<void> {
  mkdirSync(join(folder, '..'), { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = partial;
  try {
    const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
    await Promise.all(archives.map(name => inflate(resolve('node_modules/@sparticuz/chromium/bin', name))));
    writeFileSync(join(partial, 'fonts/fonts.conf'), fontsConfiguration(join(folder, 'fonts/fonts')));
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** The package's own configuration names folders of another host: without any font, text has no height. */
const fontsConfiguration = (folder: string) => `<?xml version="1.0"?>
<fontconfig>
  <dir>${folder}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/cache</cachedir>
</fontconfig>
`;
