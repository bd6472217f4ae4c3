import { createServer, request as requestHttp } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy on a free port for requests and tunnels, all of which lead to one port of this machine. */
export async function startForwardProxy(targetPort: number) {
  /** `CONNECT host:port` or `POST http://host/path`, and the credentials. */
  const requests: { line: string; authorization: string | undefined }[] = [];
  const record = (method: string, url: string, authorization: string | undefined) =>
    requests.push({ line: `${method} ${url}`, authorization });
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    record(method!, url!, headers['proxy-authorization']);
    const { pathname } = new URL(url!);
    const forwarded = requestHttp({ port: targetPort, path: pathname, method, headers, agent: false }, answer => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.writeHead(502).end());
    request.pipe(forwarded);
  });
  server.on('connect', ({ method, url, headers }, socket) => {
    record(method!, url!, headers['proxy-authorization']);
    const target = connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.on('error', () => target.destroy());
  });
  const sockets = new Set<Socket>();
  server.on('connection', socket => sockets.add(socket.on('close', () => sockets.delete(socket))));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise(done => server.close(done));
    },
  };
}
