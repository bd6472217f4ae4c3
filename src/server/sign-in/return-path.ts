const origin = 'https://all-clear.invalid';

/**
 * The path on this service to return to after a sign-in; the console for anything else. Browsers take
 * `//host` and `/\host` for another host, and remove tabs and line ends before they look.
 */
export function parseReturnPath(given: string | null | undefined): string {
  const fallback = '/console/';
  if (!given || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,500}$/.test(given) || !URL.canParse(given, origin))
    return fallback;
  const url = new URL(given, origin);
  // `/..//host` is `//host` once it is resolved.
  return url.origin === origin && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : fallback;
}
