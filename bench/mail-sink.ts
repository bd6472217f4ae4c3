import { createServer } from 'node:net';

/**
 * A mail server that takes whatever comes as fast as Node can, with pipelining, and counts. It says how many it has when it is asked over its process's channel; told to lose
 * some, it takes every thousandth and forgets it. */
const end = '\r\n.\r\n';
let mails = 0;
let taken = 0;
let losesSome = false;

const server = createServer(socket => {
  let pending = '';
  let inContent = false;
  socket.setNoDelay(true).setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.write('220 sink\r\n');
  socket.on('data', (chunk: string) => {
    pending += chunk;
    let said = '';
    for (;;) {
      const mark = inContent ? end : '\r\n';
      const place = pending.indexOf(mark);
      if (place < 0) break;
      const line = inContent ? '' : pending.slice(0, place);
      pending = pending.slice(place + mark.length);
      if (inContent) {
        taken += 1;
        if (!losesSome || taken % 1_000) mails += 1;
        inContent = false;
        said += '250 taken\r\n';
      } else if (line === 'DATA') {
        inContent = true;
        said += '354 go on\r\n';
      } else if (line.startsWith('EHLO')) said += '250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n';
      else if (line === 'QUIT') {
        socket.end('221 bye\r\n');
        return;
      } else said += '250 fine\r\n';
    }
    if (said) socket.write(said);
  });
});

server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }));
process.on('message', asked => {
  if (asked === 'lose some') losesSome = true;
  else process.send!({ mails });
});
process.on('disconnect', () => process.exit());
