import { isIP } from 'node:net';

export interface SmtpServer {
  host: string;
  port: number;
  /** Encrypted from the first byte (smtps). */
  isImplicitTls: boolean;
  starttls: 'required' | 'offered' | 'never';
  /** Whether the certificate must be valid for the host. */
  verifiesCertificate: boolean;
  user: string | null;
  password: string | null;
}

/** A password sent to this machine crosses no network. */
export const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/**
 * Parses `smtp://user:password@host:port?tls=required|never|unverified`. By default STARTTLS is used where offered,
 * without checking the certificate: that is better than no encryption. Where a password would go to another machine,
 * STARTTLS is required and the certificate checked, since an attacker in between could remove the offer or forge it.
 */
export function parseSmtpUrl(address: string): SmtpServer {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isImplicitTls = url.protocol === 'smtps:';
  const user = url.username ? decodeURIComponent(url.username) : null;
  const tls = url.searchParams.get('tls');
  const isPasswordExposed = user !== null && !isLoopback(host);
  const starttls = tls === 'never' ? 'never' : tls === 'required' || isPasswordExposed ? 'required' : 'offered';
  return {
    host,
    // Submission where a user signs in, else relay (RFC 6409, RFC 5321).
    port: Number(url.port) || (isImplicitTls ? 465 : user ? 587 : 25),
    isImplicitTls,
    starttls,
    verifiesCertificate: tls !== 'unverified' && (isImplicitTls || starttls === 'required'),
    user,
    password: user === null ? null : decodeURIComponent(url.password),
  };
}

export function isSmtpUrl(value: string): boolean {
  if (!/^smtps?:\/\//.test(value) || !URL.canParse(value)) return false;
  const { hostname, pathname, username, password, searchParams } = new URL(value);
  const areDecodable = [username, password].every(part => {
    try {
      return decodeURIComponent(part) !== null;
    } catch {
      return false;
    }
  });
  const areOptionsKnown = [...searchParams].every(
    ([name, option]) => name === 'tls' && ['required', 'never', 'unverified'].includes(option),
  );
  return hostname !== '' && /^\/?$/.test(pathname) && areDecodable && areOptionsKnown;
}
