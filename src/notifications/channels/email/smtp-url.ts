import { isIP } from 'node:net';

/** Where mail goes, as SMTP_URL says. */
export interface SmtpTarget {
  host: string;
  port: number;
  /** Encrypted from the first byte (smtps). */
  implicit: boolean;
  starttls: 'required' | 'offered' | 'never';
  /** Whether the certificate must be good for the host. */
  verify: boolean;
  user: string | null;
  password: string | null;
}

/** Whether a password would go over a wire that others may listen at. */
const isThisMachine = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

/**
 * `smtp://user:password@host:port?tls=required|never|unverified`. By itself encryption is taken where it is offered, from whoever offers it: better than none. Where
 * a password would go to another machine it is required, and the certificate checked, since whoever is in between could take the offer out, or make one.
 */
export function smtpTargetOf(address: string): SmtpTarget {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const implicit = url.protocol === 'smtps:';
  const user = url.username ? decodeURIComponent(url.username) : null;
  const wish = url.searchParams.get('tls');
  const mustHide = user !== null && !isThisMachine(host);
  const starttls = wish === 'never' ? 'never' : wish === 'required' || mustHide ? 'required' : 'offered';
  return {
    host,
    implicit,
    // Submission where one logs in, else relay (RFC 6409, RFC 5321).
    port: Number(url.port) || (implicit ? 465 : user ? 587 : 25),
    starttls,
    verify: wish !== 'unverified' && (implicit || starttls === 'required'),
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
  const options = [...searchParams].every(
    ([name, option]) => name === 'tls' && ['required', 'never', 'unverified'].includes(option),
  );
  return hostname !== '' && /^\/?$/.test(pathname) && areDecodable && options;
}
