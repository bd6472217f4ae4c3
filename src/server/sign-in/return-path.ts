const origin = 'https://all-clear.invalid';

/**
 * The path on this service to return to after a sign-in; the console for anything else. Browsers take
 * `//host` and `/\host` for another host, and remove tabs and line ends before they look.
 */
export function parseReturnPath(path: string | null | undefined): string {
  const fallback = '/console/';
  if (!path || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,500}$/.test(path) || !URL.canParse(path, origin)) return fallback;
  const url = new URL(path, origin);
  // `/..//host` is `//host` once it is resolved.
  return url.origin === origin && !url.pathname.startsWith('//') ? `${url.pathname}${url.search}` : fallback;
}
