import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that can drop and refuse connections, as if the server behind it went away and came back. */
export interface TcpProxy {
  url: string;
  disconnect(): void;
  reconnect(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isDisconnected = false;
  const server = createServer(client => {
    if (isDisconnected) return void client.resetAndDestroy();
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const dropAll = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    disconnect: () => {
      isDisconnected = true;
      dropAll();
    },
    reconnect: () => {
      isDisconnected = false;
    },
    close: () => {
      dropAll();
      return new Promise(done => server.close(() => done()));
    },
  };
}
