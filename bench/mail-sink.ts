import { createServer } from 'node:net';

/**
 * A mail server with PIPELINING that accepts and counts everything as fast as Node can. It reports the count when its
 * parent process asks; told to lose some, it accepts every thousandth message without counting it.
 */
const end = '\r\n.\r\n';
let mails = 0;
let accepted = 0;
let losesSome = false;

const server = createServer(socket => {
  let pending = '';
  let inContent = false;
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.write('220 sink\r\n');
  socket.on('data', (chunk: string) => {
    pending += chunk;
    let reply = '';
    for (;;) {
      const mark = inContent ? end : '\r\n';
      const at = pending.indexOf(mark);
      if (at < 0) break;
      const line = inContent ? '' : pending.slice(0, at);
      pending = pending.slice(at + mark.length);
      if (inContent) {
        accepted += 1;
        if (!losesSome || accepted % 1_000) mails += 1;
        inContent = false;
        reply += '250 taken\r\n';
      } else if (line === 'DATA') {
        inContent = true;
        reply += '354 go on\r\n';
      } else if (line.startsWith('EHLO')) reply += '250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n';
      else if (line === 'QUIT') {
        socket.end('221 bye\r\n');
        return;
      } else reply += '250 fine\r\n';
    }
    if (reply) socket.write(reply);
  });
});

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }));
process.on('message', message => {
  if (message === 'lose some') losesSome = true;
  else process.send!({ mails });
});
process.on('disconnect', () => process.exit());
