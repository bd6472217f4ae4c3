import { connect } from 'node:net';

/**
 * Sends bytes that no client library would send. Returns all that comes back until the service closes the connection.
 */
export function sendRaw(url: string, ...lines: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')),
    );
    let response = '';
    socket.setEncoding('latin1').on('data', text => {
      response += text;
    });
    socket.on('end', () => resolve(response)).on('error', reject);
  });
}
