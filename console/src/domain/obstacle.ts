/** Without the port. It is not parsed: a URL whose host is an IP address behind the name of a page is invalid. */
export const getHost = (url: string): string => /^\w+:\/\/((?:\[[^\]]*\]|[^:/[])*)/.exec(url)?.[1] ?? '';

/** What the address of the service is, where no DNS record can lead to a page at this host. Undefined: one can. */
export function findObstacle(host: string): string | undefined {
  // As where `PUBLIC_URL` is not set.
  if (/(?:^|\.)(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)) return 'a loopback address';
  return /(?:^|\.)(?:\d+(?:\.\d+){3}|\[.*\])$/.test(host) ? 'an IP address' : undefined;
}
