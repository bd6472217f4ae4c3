import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterEach } from '@jest/globals';

export interface RunningProcess {
  url: string;
  /** Everything it has printed, on both streams. */
  output(): string;
  /** Sends a signal and waits for the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  process: ChildProcess;
}

export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise(done => server.close(done));
  return port;
}

/** For a test that starts several processes, on a busy machine. */
export const manyProcessesMs = 240_000;

/** The token that a first start prints. */
export const findToken = (output: string) => /^ {2}([\w-]{43})$/m.exec(output)?.[1];

/** The status of the response to GET /v1/hello. */
export const hello = (url: string, token: string) =>
  fetch(`${url}/v1/hello`, { headers: { authorization: `Bearer ${token}` } }).then(answer => answer.status);

/** Runs a compiled script to its end, with this standard input. `printed` is its standard output, `output` both streams. */
export async function runScript(
  args: string[],
  environment: Record<string, string>,
  input = '',
): Promise<{ code: number | null; output: string; printed: string }> {
  const child = spawn(process.execPath, args, { env: isolateEnvironment(environment) });
  child.stdin.end(input);
  const output = collectOutput(child);
  let printed = '';
  child.stdout.on('data', chunk => (printed += chunk));
  const code = await new Promise<number | null>(done => child.once('close', done));
  return { code, output: output(), printed };
}

/** Returns `startProcess` for a test file. What runs after a test is killed, also when the test has failed. */
export function useProcesses(): (environment: Record<string, string>) => Promise<RunningProcess> {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  return environment => startProcess(environment, child => children.push(child));
}

/** Starts the compiled service and waits for its greeting. */
async function startProcess(
  environment: Record<string, string>,
  onSpawn: (child: ChildProcess) => void,
): Promise<RunningProcess> {
  const port = await findFreePort();
  const child = spawn(process.execPath, ['dist/cli.js', 'start'], {
    env: isolateEnvironment({ PORT: String(port), DRAIN_SECONDS: '0', ...environment }),
  });
  onSpawn(child);
  const output = collectOutput(child);
  const exitCode = new Promise<number | null>(done => child.once('close', done));
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', () => output().includes('All Clear listens') && done());
    child.once('close', () => fail(new Error(`The service exited: ${output()}`)));
  });
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return exitCode;
  };
  return { url: `http://127.0.0.1:${port}`, output, end, process: child };
}

/** With the code that V8 compiled for earlier processes: without it, a third of the time of a command is compiling. */
export function isolateEnvironment(environment: Record<string, string>): Record<string, string> {
  const cache = resolve('node_modules/.cache/compiled');
  return { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: cache, LOG_LEVEL: 'warn', ...environment };
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.on('data', chunk => (text += chunk));
  child.stderr?.on('data', chunk => (text += chunk));
  return () => text;
}
