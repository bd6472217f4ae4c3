/** The console shows nothing from elsewhere, and a page has a host of its own: its images are at this origin, too. */
export const toOwnOrigin = (html: string, pageId: string): string =>
  html.replaceAll(/( src=")[^"]*\/(images\/[0-9a-f]{16}-\d+x\d+\.\w+")/g, `$1/status/${pageId}/$2`);
