/** "Firefox on Android"; the whole text where neither is known. */
export function describeBrowser(userAgent: string): string {
  const browser = /Edg|OPR|Firefox|Chrome|Safari/.exec(userAgent)?.[0].replace('Edg', 'Edge').replace('OPR', 'Opera');
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(userAgent)?.[0].replace('Mac OS X', 'macOS');
  return browser && system ? `${browser} on ${system}` : userAgent || 'Unknown browser';
}
