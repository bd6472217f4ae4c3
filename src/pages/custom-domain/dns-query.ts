import { Resolver } from 'node:dns/promises';
import type { Settings } from '../../core/config.js';
import type { DnsRecords, Proof } from './dns-proof.js';

interface DnsTimeouts {
  /** Of the first try of a query; the second takes twice as long. */
  tryMs: number;
  tries: number;
  /** Of all queries together. */
  totalMs: number;
}

const defaultTimeouts: DnsTimeouts = { tryMs: 2_000, tries: 2, totalMs: 10_000 };

/** A CDN or two may lie between; a longer chain is a loop. */
const maxChainLength = 8;

/** The name or the record does not exist, or cannot exist (the name of the TXT record may be too long). */
const noRecordCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

type QueryResult = { values: string[]; failure: null } | { values: []; failure: string };
type Query = (name: string) => Promise<QueryResult>;

export type DnsClient = (proof: Proof, stop?: AbortSignal) => Promise<DnsRecords>;

/** Without DNS_SERVERS, the servers of the system are queried. */
export const createDnsClient =
  (settings: Pick<Settings, 'dnsServers'>): DnsClient =>
  (proof, stop) =>
    queryDns(proof, settings.dnsServers, stop);

/** Queries both records at once. Never throws, and never takes longer than `totalMs`. */
export async function queryDns(
  proof: Proof,
  servers: readonly string[],
  stop?: AbortSignal,
  { tryMs, tries, totalMs }: DnsTimeouts = defaultTimeouts,
): Promise<DnsRecords> {
  const resolver = new Resolver({ timeout: tryMs, tries });
  if (servers.length) resolver.setServers([...servers]);
  const signal = AbortSignal.any([AbortSignal.timeout(totalMs), ...(stop ? [stop] : [])]);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel);
  const toResult = async (query: () => Promise<string[]>): Promise<QueryResult> => {
    if (signal.aborted) return { values: [], failure: 'ETIMEOUT' };
    try {
      return { values: await query(), failure: null };
    } catch (error) {
      const code = signal.aborted ? 'ETIMEOUT' : String((error as NodeJS.ErrnoException).code);
      return noRecordCodes.has(code) ? { values: [], failure: null } : { values: [], failure: code };
    }
  };
  try {
    const [chain, texts] = await Promise.all([
      followCnames(proof, name => toResult(() => resolver.resolveCname(name))),
      toResult(async () => (await resolver.resolveTxt(proof.txtName)).map(parts => parts.join(''))),
    ]);
    const { cnames, isEndless, failure } = chain;
    const isProven = texts.values.some(text => text.trim() === proof.txtValue);
    const findAddresses = async (name: string) =>
      (await Promise.all([toResult(() => resolver.resolve4(name)), toResult(() => resolver.resolve6(name))])).flatMap(
        ({ values }) => values,
      );
    // They explain why there is no CNAME.
    const [ofDomain = [], ofTarget = []] =
      cnames.length || failure || isProven ? [] : await Promise.all([proof.domain, proof.target].map(findAddresses));
    return {
      cnames,
      isEndless,
      texts: texts.values,
      failures: { cname: failure, txt: texts.failure },
      addresses: { domain: ofDomain, target: ofTarget },
    };
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** Follows the chain up to the target of the proof, which is a name of this service. */
async function followCnames({ domain, target }: Proof, query: Query) {
  const cnames: string[] = [];
  for (let name = domain; cnames.length < maxChainLength; ) {
    const { values, failure } = await query(name);
    if (failure || !values.length) return { cnames, isEndless: false, failure };
    name = values[0]!.toLowerCase().replace(/\.$/, '');
    if (name === domain || cnames.includes(name)) return { cnames, isEndless: true, failure: null };
    cnames.push(name);
    if (name === target) return { cnames, isEndless: false, failure: null };
  }
  return { cnames, isEndless: true, failure: null };
}
