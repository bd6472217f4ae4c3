import { Resolver } from 'node:dns/promises';
import type { Settings } from '../core/config.js';
import type { Answers, Proof } from './dns-proof.js';

/** How long DNS may take: a try (the second takes twice as long), how many, and all of it together. Milliseconds. */
export interface Patience {
  timeout: number;
  tries: number;
  whole: number;
}

const usual: Patience = { timeout: 2_000, tries: 2, whole: 10_000 };

/** A delivery network or two lie between; whoever needs more has a circle. */
const longestChain = 8;

/** Not failures: DNS says that there is no such name, or no such record at it, or that it cannot hold such a name (that of the TXT record may be too long). */
const none = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

type Asked = { values: string[]; failure: null } | { values: []; failure: string };

/** Queries both records of a proof. */
export type DnsClient = (proof: Proof, stop?: AbortSignal) => Promise<Answers>;

/** Without DNS_SERVERS those of the system are queried. */
export const createDnsClient =
  (settings: Pick<Settings, 'dnsServers'>): DnsClient =>
  (proof, stop) =>
    askDns(proof, settings.dnsServers, stop);

/** Asks DNS for both records. Never fails, and never takes longer than the patience. */
export async function askDns(
  proof: Proof,
  servers: readonly string[],
  stop?: AbortSignal,
  { timeout, tries, whole }: Patience = usual,
): Promise<Answers> {
  const resolver = new Resolver({ timeout, tries });
  if (servers.length) resolver.setServers([...servers]);
  const over = AbortSignal.any([AbortSignal.timeout(whole), ...(stop ? [stop] : [])]);
  const cancel = () => resolver.cancel();
  over.addEventListener('abort', cancel);
  const ask = async (question: () => Promise<string[]>): Promise<Asked> => {
    if (over.aborted) return { values: [], failure: 'ETIMEOUT' };
    try {
      return { values: await question(), failure: null };
    } catch (error) {
      const code = over.aborted ? 'ETIMEOUT' : String((error as NodeJS.ErrnoException).code);
      return none.has(code) ? { values: [], failure: null } : { values: [], failure: code };
    }
  };
  try {
    const [cnames, texts] = await Promise.all([
      follow(proof, name => ask(() => resolver.resolveCname(name))),
      ask(async () => (await resolver.resolveTxt(proof.txtName)).map(parts => parts.join(''))),
    ]);
    return {
      names: cnames.names,
      endless: cnames.endless,
      texts: texts.values,
      failures: { cname: cnames.failure, txt: texts.failure },
    };
  } finally {
    over.removeEventListener('abort', cancel);
  }
}

/** Name by name, until the one that is wanted; where that leads is ours to decide. */
async function follow({ domain, target }: Proof, ask: (name: string) => Promise<Asked>) {
  const names: string[] = [];
  for (let name = domain; names.length < longestChain; ) {
    const { values, failure } = await ask(name);
    if (failure || !values.length) return { names, endless: false, failure };
    name = values[0]!.toLowerCase().replace(/\.$/, '');
    if (name === domain || names.includes(name)) return { names, endless: true, failure: null };
    names.push(name);
    if (name === target) return { names, endless: false, failure: null };
  }
  return { names, endless: true, failure: null };
}
