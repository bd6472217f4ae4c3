import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A line to a server that can be cut and joined again, as a database goes away and comes back. */
export interface TcpProxy {
  url: string;
  disconnect(): void;
  reconnect(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer(near => {
    if (isCut) return void near.resetAndDestroy();
    const far = connect({ host: hostname, port: Number(port) });
    for (const [one, other] of [
      [near, far],
      [far, near],
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
  const drop = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: url.href,
    disconnect: () => {
      isCut = true;
      drop();
    },
    reconnect: () => {
      isCut = false;
    },
    close: () => {
      drop();
      return new Promise(done => server.close(() => done()));
    },
  };
}
