import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import { type Answer, decode, encode, type Packet, streamDecode, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';

/** The records of a name. A name that is not in the map does not exist. */
export interface DnsName {
  cname?: string;
  txt?: (string | string[])[];
  a?: string[];
  aaaa?: string[];
  /** Instead of a response. */
  fails?: 'SERVFAIL' | 'REFUSED' | 'silence';
  /** Called before the response is sent. */
  beforeResponse?: () => Promise<unknown>;
}

export interface DnsServer {
  /** `address:port`, as DNS_SERVERS has it. */
  address: string;
  names: Map<string, DnsName>;
  /** All queries so far: `CNAME status.acme.example`. */
  queries: string[];
  stop(): Promise<void>;
}

const codes = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };
/** The usual maximum of a UDP response; longer ones are truncated. */
const maxDatagramLength = 1232;

/** A DNS server on a free port, over UDP and TCP. It answers from a map, and does not follow a CNAME. */
export async function startDns(): Promise<DnsServer> {
  const names: DnsServer['names'] = new Map();
  const queries: string[] = [];

  const createResponse = async ({ id, questions: [question] = [] }: Packet): Promise<Packet | null> => {
    const { name, type } = question!;
    queries.push(`${type} ${name.toLowerCase()}`);
    const records = names.get(name.toLowerCase());
    if (records?.fails === 'silence') return null;
    await records?.beforeResponse?.();
    const code = records?.fails ? codes[records.fails] : records ? 0 : codes.NXDOMAIN;
    const answers: Answer[] = [];
    if (!code && type === 'CNAME' && records?.cname) answers.push({ name, type, ttl: 0, data: records.cname });
    if (!code && type === 'TXT') for (const data of records?.txt ?? []) answers.push({ name, type, ttl: 0, data });
    if (!code && (type === 'A' || type === 'AAAA'))
      for (const data of records?.[type === 'A' ? 'a' : 'aaaa'] ?? []) answers.push({ name, type, ttl: 0, data });
    return { type: 'response', id, flags: code, questions: [question!], answers };
  };

  const datagrams = createSocket('udp4');
  datagrams.on('message', async (message, { port, address }) => {
    const response = await createResponse(decode(message));
    if (!response) return;
    const bytes = encode(response);
    const truncated = encode({ ...response, flags: TRUNCATED_RESPONSE, answers: [] });
    datagrams.send(bytes.length > maxDatagramLength ? truncated : bytes, port, address);
  });

  const streams = createServer(socket => {
    let received = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', async bytes => {
      received = Buffer.concat([received, bytes]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const message = received;
      received = Buffer.alloc(0);
      const response = await createResponse(streamDecode(message));
      if (response) socket.write(streamEncode(response));
    });
  });
  // TCP first: many TCP ports are in use by outgoing connections, but hardly any UDP ports.
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
