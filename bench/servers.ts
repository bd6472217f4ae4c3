import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const root = new URL('..', import.meta.url).pathname;

/** Starts a Node program, with its arguments, and waits until it answers on its port, and is ready if it is a service. */
export async function startServer(
  program: string,
  port: number,
  environment: Record<string, string>,
): Promise<ChildProcess> {
  const [file, ...args] = program.split(' ');
  const child = spawn(process.execPath, [`${root}${file}`, ...args], {
    // Without a rate limit: all requests come from one address.
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      PORT: String(port),
      RATE_LIMIT: '0',
      DATABASE_URL: 'embedded',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; child.exitCode === null && tries < 900; tries++) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status !== 503,
      () => false,
    );
    if (isReady) return child;
    await sleep(100);
  }
  child.kill();
  throw new Error(`${program} did not start`);
}

/** Reads the CPU time of a process in microseconds. Linux only. */
export function readCpuTime(pid: number): number {
  try {
    // After the name in parentheses: the state, ten numbers, then user and system time in hundredths of a second.
    const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(user) + Number(system)) * 10_000;
  } catch {
    return 0;
  }
}
