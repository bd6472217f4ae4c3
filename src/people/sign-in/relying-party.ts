import { isIP } from 'node:net';
import { parseConsoleUrl, type Settings } from '../../core/config.js';

/** What passkeys belong to, by PUBLIC_URL and never by a header. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** Null where browsers offer no passkeys: without https, but for localhost, and for an IP address. */
export function findRelyingParty(settings: Pick<Settings, 'publicUrl' | 'consoleUrl' | 'port'>): RelyingParty | null {
  const { scheme, baseHost, origin } = parseConsoleUrl(settings);
  const isLocal = baseHost === 'localhost' || baseHost.endsWith('.localhost');
  const isAddress = isIP(baseHost) !== 0 || baseHost.startsWith('[');
  return (scheme === 'https' || isLocal) && !isAddress ? { id: baseHost, origin } : null;
}
