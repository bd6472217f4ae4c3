import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that can lose connections in the ways in which networks and servers do. */
export interface TcpProxy {
  url: string;
  /** Resets all connections, and refuses new ones until `reconnect`, as a server that went away. */
  disconnect(): void;
  reconnect(): void;
  /** Passes no more bytes on until `resume`, on new connections too, as a network that is cut. They are lost. */
  silence(): void;
  resume(): void;
  /** Passes no more bytes on for the present connections, ever, as a firewall that forgot them. */
  forgetConnections(): void;
  /** From now on ends each connection that sends bytes with this text, as a server that is stopped meanwhile. */
  endAt(text: string): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  let isDisconnected = false;
  let isSilent = false;
  let fatalText: string | undefined;
  const server = createServer(client => {
    if (isDisconnected) return void client.resetAndDestroy();
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('data', (chunk: Buffer) => {
        if (fatalText !== undefined && chunk.includes(fatalText)) return void client.end();
        if (!isSilent && !forgotten.has(one)) other.write(chunk);
      });
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
    silence: () => {
      isSilent = true;
    },
    resume: () => {
      isSilent = false;
    },
    forgetConnections: () => {
      for (const socket of sockets) forgotten.add(socket);
    },
    endAt: text => {
      fatalText = text;
    },
    close: () => {
      dropAll();
      return new Promise(done => server.close(() => done()));
    },
  };
}
