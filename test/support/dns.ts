import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import { type Answer, decode, encode, type Packet, streamDecode, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';

/** What a name holds. A name that is not in the map does not exist. */
export interface DnsName {
  cname?: string;
  txt?: (string | string[])[];
  /** In place of an answer. */
  fails?: 'SERVFAIL' | 'REFUSED' | 'silence';
  /** Done before it is answered. */
  beforeResponse?: () => Promise<unknown>;
}

export interface DnsServer {
  /** `address:port`, as DNS_SERVERS has it. */
  address: string;
  names: Map<string, DnsName>;
  /** All that was asked: `CNAME status.acme.example`. */
  queries: string[];
  stop(): Promise<void>;
}

const codes = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };
/** More than this does not fit into what the world sends by UDP. */
const longestDatagram = 1232;

/** A DNS server on a free port, over UDP and TCP, that answers from a map as a name server answers: without following a CNAME. */
export async function startDns(): Promise<DnsServer> {
  const names: DnsServer['names'] = new Map();
  const asked: string[] = [];

  const answerTo = async ({ id, questions: [question] = [] }: Packet): Promise<Packet | null> => {
    const { name, type } = question!;
    asked.push(`${type} ${name.toLowerCase()}`);
    const held = names.get(name.toLowerCase());
    if (held?.fails === 'silence') return null;
    await held?.beforeResponse?.();
    const code = held?.fails ? codes[held.fails] : held ? 0 : codes.NXDOMAIN;
    const answers: Answer[] = [];
    if (!code && type === 'CNAME' && held?.cname) answers.push({ name, type, ttl: 0, data: held.cname });
    if (!code && type === 'TXT') for (const data of held?.txt ?? []) answers.push({ name, type, ttl: 0, data });
    return { type: 'response', id, flags: code, questions: [question!], answers };
  };

  const datagrams = createSocket('udp4');
  datagrams.on('message', async (message, { port, address }) => {
    const answer = await answerTo(decode(message));
    if (!answer) return;
    const bytes = encode(answer);
    const short = encode({ ...answer, flags: TRUNCATED_RESPONSE, answers: [] });
    datagrams.send(bytes.length > longestDatagram ? short : bytes, port, address);
  });

  const streams = createServer(socket => {
    let received = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', async bytes => {
      received = Buffer.concat([received, bytes]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const whole = received;
      received = Buffer.alloc(0);
      const answer = await answerTo(streamDecode(whole));
      if (answer) socket.write(streamEncode(answer));
    });
  });
  // Of the ports for streams many are taken by whoever is connected to something, of those for datagrams hardly one.
  await new Promise<void>((done, fail) => streams.once('error', fail).listen(0, '127.0.0.1', done));
  const { port } = streams.address() as AddressInfo;
  await new Promise<void>((done, fail) => datagrams.once('error', fail).bind(port, '127.0.0.1', done));

  return {
    address: `127.0.0.1:${port}`,
    names,
    queries,
    stop: async () => {
      await new Promise<void>(done => datagrams.close(done));
      await new Promise(done => streams.close(done));
    },
  };
}
