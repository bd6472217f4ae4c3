import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Running {
  url: string;
  /** All that it printed. */
  output(): string;
  /** Ends it and gives the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  process: ChildProcess;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise(done => server.close(done));
  return port;
}

/** Runs a built script to its end. */
export async function runScript(
  words: string[],
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string; printed: string }> {
  const child = spawn(process.execPath, words, { env: cleanEnvironment(environment) });
  const output = collect(child);
  let printed = '';
  child.stdout.on('data', chunk => (printed += chunk));
  const code = await new Promise<number | null>(done => child.once('close', done));
  return { code, output: output(), printed };
}

/** Starts the built service and waits until it greets. */
export async function startProcess(environment: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: cleanEnvironment({ PORT: String(port), ...environment }),
  });
  const output = collect(child);
  const closed = new Promise<number | null>(done => child.once('close', done));
  await new Promise<void>((done, fail) => {
    child.stdout.on('data', () => output().includes('All Clear listens') && done());
    child.once('close', () => fail(new Error(`It ended: ${output()}`)));
  });
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return closed;
  };
  return { url: `http://127.0.0.1:${port}`, output, end, process: child };
}

function cleanEnvironment(environment: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', ...environment };
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.on('data', chunk => (text += chunk));
  child.stderr?.on('data', chunk => (text += chunk));
  return () => text;
}
