import { connect } from 'node:net';

/** What comes back for bytes that no client library would send: all of it, until the service closes the connection. */
export function onTheWire(url: string, ...lines: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')),
    );
    let answer = '';
    socket.setEncoding('latin1').on('data', text => {
      answer += text;
    });
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}
