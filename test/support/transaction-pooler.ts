import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TransactionPooler {
  url: string;
  close(): Promise<void>;
}

const startupParts = (user: string, database: string) => {
  const body = Buffer.from(`\0\x03\0\0user\0${user}\0database\0${database}\0\0`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
};

/** Calls `onMessage` for each message of PostgreSQL's protocol: its type, and all of its bytes. */
function readMessages(socket: Socket, isClient: boolean, onMessage: (type: string, bytes: Buffer) => void): void {
  let pending = Buffer.alloc(0);
  // The first message of a client has no type.
  let isStartup = isClient;
  socket.on('data', chunk => {
    pending = Buffer.concat([pending, chunk as Buffer]);
    for (;;) {
      const offset = isStartup ? 0 : 1;
      if (pending.length < offset + 4) return;
      const length = offset + pending.readUInt32BE(offset);
      if (pending.length < length) return;
      const bytes = pending.subarray(0, length);
      pending = pending.subarray(length);
      onMessage(isStartup ? 'startup' : String.fromCharCode(bytes[0]!), bytes);
      isStartup = false;
    }
  });
}

/**
 * A pooler like PgBouncer in transaction mode: its clients share one connection to the server, which belongs to a client
 * from its first message until the server is ready again and in no transaction.
 */
export async function startTransactionPooler(target: string): Promise<TransactionPooler> {
  const { hostname, port, username, pathname } = new URL(target);
  const upstream = connect({ host: hostname, port: Number(port) });
  upstream.write(startupParts(username, pathname.slice(1)));
  const greeting: Buffer[] = [];
  const waiting: { client: Socket; bytes: Buffer; endsUnit: boolean }[] = [];
  let owner: Socket | undefined;
  let pendingUnits = 0;

  const forward = () => {
    for (;;) {
      const index = waiting.findIndex(({ client }) => !owner || client === owner);
      if (index < 0) return;
      const [{ client, bytes, endsUnit }] = waiting.splice(index, 1) as [(typeof waiting)[number]];
      owner = client;
      if (endsUnit) pendingUnits += 1;
      upstream.write(bytes);
    }
  };
  const isReady = new Promise<void>(done => {
    let hasGreeted = false;
    readMessages(upstream, false, (type, bytes) => {
      if (!hasGreeted) greeting.push(bytes);
      else if (!owner?.destroyed) owner?.write(bytes);
      if (type !== 'Z') return;
      if (!hasGreeted) {
        hasGreeted = true;
        return done();
      }
      pendingUnits -= 1;
      // I: in no transaction.
      if (pendingUnits === 0 && bytes[5] === 'I'.charCodeAt(0)) owner = undefined;
      forward();
    });
  });
  await isReady;

  const clients = new Set<Socket>();
  const server = createServer(client => {
    clients.add(client);
    client.on('error', () => {}).on('close', () => clients.delete(client));
    // With sslmode=disable the first message is the startup.
    readMessages(client, true, (type, bytes) => {
      if (type === 'startup') client.write(Buffer.concat(greeting));
      else if (type === 'X') client.end();
      else waiting.push({ client, bytes, endsUnit: type === 'Q' || type === 'S' });
      forward();
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url.searchParams.set('sslmode', 'disable');
  return {
    url: url.href,
    close: () => {
      upstream.destroy();
      for (const client of clients) client.destroy();
      return new Promise(done => server.close(() => done()));
    },
  };
}
