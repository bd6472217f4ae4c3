import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readMemoryMb } from './memory.ts';

export interface UnreadResult {
  clients: number;
  requests: number;
  /** The most that the service held at once. */
  heldConnections: number;
  costMb: number;
  /** From the last request until the last connection is closed. */
  closedAfterSeconds: number;
  pageP99Ms: number;
}

/** Opens connections that ask for a page many times and read nothing, and watches the service until they are closed. */
export async function measureUnread(
  service: { pid: number; port: number },
  { path, clients, requests }: { path: string; clients: number; requests: number },
): Promise<UnreadResult> {
  const memoryBeforeMb = readMemoryMb(service.pid);
  const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requests);
  const sockets: Socket[] = [];
  for (let count = 0; count < clients; count += 1) {
    const socket = connect(service.port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => {}).once('connect', () => socket.write(text));
    sockets.push(socket);
    if (count % 20 === 0) await sleep(10);
  }
  const startedAt = performance.now();
  const result = { heldConnections: 0, costMb: 0 };
  const pageTimesMs: number[] = [];
  let held: number;
  do {
    await sleep(100);
    held = countConnections(service.port);
    result.heldConnections = Math.max(result.heldConnections, held);
    result.costMb = Math.max(result.costMb, readMemoryMb(service.pid) - memoryBeforeMb);
    const askedAt = performance.now();
    const url = `http://127.0.0.1:${service.port}${path}`;
    await fetch(url, { signal: AbortSignal.timeout(30_000) })
      .then(response => response.arrayBuffer())
      .catch(() => {});
    pageTimesMs.push(performance.now() - askedAt);
  } while (held > 5 && performance.now() - startedAt < 120_000);
  for (const socket of sockets) socket.destroy();
  pageTimesMs.sort((one, other) => one - other);
  return {
    clients,
    requests,
    ...result,
    closedAfterSeconds: (performance.now() - startedAt) / 1000,
    pageP99Ms: pageTimesMs[Math.floor(pageTimesMs.length * 0.99)]!,
  };
}

/** Established connections of the service. A client that does not read does not notice that it was closed. Linux only. */
function countConnections(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .filter(line => {
      const [, address, , state] = line.trim().split(/\s+/);
      return address?.endsWith(local) && state === '01';
    }).length;
}
