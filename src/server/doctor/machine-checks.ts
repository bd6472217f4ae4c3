import { access, constants, mkdtemp, rmdir, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { findMisspelledSettings } from '../../core/config.js';
import { type Check, failed, ok, skipped, warning } from './check.js';

/** That they can be parsed is a condition of every check. */
export const checkSettings: Check = ({ environment }) => {
  const misspelled = findMisspelledSettings(environment);
  return misspelled.length
    ? warning(misspelled.join(' '), 'Correct the name, or remove the variable.')
    : ok('All settings are valid.');
};

export const checkNode: Check = () => {
  const { version, release } = process;
  return release.lts
    ? ok(`Node ${version} has long-term support.`)
    : warning(`Node ${version} has no long-term support.`, 'Install a version that has, such as Node 24.');
};

export const checkDataDirectory: Check = async ({ settings: { dataDir } }) => {
  if (dataDir.startsWith('memory:')) return skipped('The database is in memory.');
  const folder = await findExistingFolder(dataDir);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    // A file system that is mounted for reading only refuses this alone.
    await rmdir(await mkdtemp(join(folder, '.doctor-')));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const found = `${folder} cannot be written (${code}).`;
    return failed(found, 'Give the user of the service the right to write there, or set DATA_DIR to another folder.');
  }
  return ok(folder === resolve(dataDir) ? `${folder} can be written.` : `It can be created in ${folder}.`);
};

const gigabyte = 1_000_000_000;

export const checkDisk: Check = async ({ settings: { dataDir } }) => {
  if (dataDir.startsWith('memory:')) return skipped('The database is in memory.');
  const { bavail, bsize } = await statfs(await findExistingFolder(dataDir));
  const free = bavail * bsize;
  const found = `${(free / gigabyte).toFixed(1)} GB are free on the disk of DATA_DIR.`;
  if (free >= gigabyte) return ok(found);
  return (free < gigabyte / 10 ? failed : warning)(found, 'Free some space, or move DATA_DIR to a larger disk.');
};

/** The folder, or the one that it would be created in. */
async function findExistingFolder(path: string): Promise<string> {
  const folder = resolve(path);
  try {
    await access(folder);
    return folder;
  } catch (error) {
    const parent = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === folder) return folder;
    return findExistingFolder(parent);
  }
}
