import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ImportReport } from '../../src/transfer/importers/import-report.js';
import { readFiles } from '../support/archives.js';
import { isolateEnvironment, manyProcessesMs, runScript } from '../support/process.js';
import { toCounts } from '../support/saved-answers.js';
import { createStatuspageAnswers } from '../support/statuspage-answers.js';

const folder = mkdtempSync(join(tmpdir(), 'all-clear-'));
const [archive, answers, emptyPage] = ['page.zip', 'answers', 'empty'].map(name => join(folder, name)) as [
  ...[string, string, string],
];
const incidents = 300;
const subscribers = 4_000;
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command on the embedded database of a folder. */
const environment = (name: string) => ({ DATA_DIR: join(folder, name) });
async function run(name: string, ...args: string[]): Promise<string> {
  const { code, output, printed } = await runScript(['dist/cli.js', ...args], environment(name));
  expect([code, output]).toEqual([0, expect.anything()]);
  return printed;
}

/** Kills a command once it says that it is half way. */
async function killHalfWay(name: string, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, ['dist/cli.js', ...args], { env: isolateEnvironment(environment(name)) });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', text => {
      output += text;
      if (/: [5-9]0 %/.test(output)) child.kill('SIGKILL');
    });
  const [code, signal] = await once(child, 'close');
  expect([output, code, signal]).toEqual([expect.any(String), null, 'SIGKILL']);
}

function saveAnswers(path: string, size: { incidents: number; subscribers: number }): void {
  mkdirSync(path);
  for (const [name, answer] of Object.entries(createStatuspageAnswers({ components: 4, ...size })))
    writeFileSync(join(path, name), JSON.stringify(answer));
}

const importAnswers = (path: string, ...more: string[]) => ['import', '--from', 'statuspage', path, '--yes', ...more];
const readManifest = async (path: string) => JSON.parse((await readFiles(path)).get('manifest.json')!).files;
const readReport = (text: string): ImportReport => JSON.parse(text);

beforeAll(async () => {
  saveAnswers(answers, { incidents, subscribers });
  saveAnswers(emptyPage, { incidents: 0, subscribers: 0 });
  await run('origin', ...importAnswers(answers));
  await run('origin', 'export', archive);
}, manyProcessesMs);

test(
  'an import of an archive that is killed half way leaves nothing, and the next one imports all of it',
  async () => {
    await killHalfWay('target', 'import', archive);
    const rest = join(folder, 'rest.zip');
    await run('target', 'export', rest);
    expect([...(await readFiles(rest))].filter(([name, text]) => name !== 'manifest.json' && text)).toEqual([]);
    expect(await run('target', 'import', archive)).toContain(`${subscribers}\tsubscribers\n`);
    const again = join(folder, 'again.zip');
    await run('target', 'export', again);
    expect(await readManifest(again)).toEqual(await readManifest(archive));
  },
  manyProcessesMs,
);

test(
  'an import from another product that is killed half way is gone on with by the next one, which doubles nothing',
  async () => {
    const { pageId } = readReport(await run('moved', ...importAnswers(emptyPage, '--json')));
    const command = importAnswers(answers, '--page', pageId!, '--json');
    await killHalfWay('moved', ...command);
    const { notice, update } = toCounts(readReport(await run('moved', ...command)));
    expect(notice![0]! + notice![2]!).toBe(incidents);
    expect(notice![2]! + update![2]!).toBeGreaterThan(0);
    expect(toCounts(readReport(await run('moved', ...command)))).toMatchObject({
      notice: [0, 0, incidents, 0],
      subscriber: [0, 0, subscribers, 0],
    });
  },
  manyProcessesMs,
);

test(
  'a move to a folder that is killed half way leaves no database there, and the next one copies all of it',
  async () => {
    const target = join(folder, 'moved-to');
    await killHalfWay('origin', 'move', '--to', target);
    const { code, output } = await runScript(['dist/cli.js', 'migrate'], { DATA_DIR: target });
    expect([code, output]).toEqual([1, expect.stringContaining('Run allclear restore or allclear move again')]);
    expect(await run('origin', 'move', '--to', target)).toMatch(
      /^All \d+ rows of \d+ tables are there, and compared\./,
    );
    const moved = join(folder, 'moved-to.zip');
    await run('moved-to', 'export', moved);
    expect(await readManifest(moved)).toEqual(await readManifest(archive));
  },
  manyProcessesMs,
);
