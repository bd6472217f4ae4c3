import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const root = new URL('..', import.meta.url).pathname;

/** Starts a Node program that listens on a port, and waits until it does. */
export async function startServer(
  program: string,
  port: number,
  environment: Record<string, string>,
): Promise<ChildProcess> {
  // The service as `npm start` runs it; the others as they come.
  const flags = program === 'dist/main.js' ? flagsOf('start') : [];
  const child = spawn(process.execPath, [...flags, `${root}${program}`], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; child.exitCode === null && tries < 300; tries++) {
    const answered = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    );
    if (answered) return child;
    await sleep(100);
  }
  child.kill();
  throw new Error(`${program} did not start`);
}

/** What a script of package.json gives to node. */
export function flagsOf(script: 'start' | 'worker'): string[] {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    scripts: Record<typeof script, string>;
  };
  return scripts[script].split(' ').filter(word => word.startsWith('--'));
}

/** Processor time that a process has used, in microseconds; Linux only. */
export function processorTime(pid: number): number {
  try {
    // After the name in brackets: the state, ten numbers, then time as user and as system in hundredths of a second.
    const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(user) + Number(system)) * 10_000;
  } catch {
    return 0;
  }
}
