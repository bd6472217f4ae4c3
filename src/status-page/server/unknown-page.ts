import type { IncomingMessage, ServerResponse } from 'node:http';
import { plainDocumentHeaders, renderPlainDocument } from '../../http/plain-document.js';
import { acceptsHtml, writePlainText } from './write-response.js';

/** In English and without colours, which are those of a page. */
const document = renderPlainDocument(
  'No status page here',
  '<p>There is no status page at this address. Please check the address, or ask for it where you found it.</p>',
);

/** Responds to a request for a page that does not exist. */
export function writeUnknownPage(request: IncomingMessage, response: ServerResponse): void {
  if (acceptsHtml(request)) writePlainText(response, 404, document, { ...plainDocumentHeaders, Vary: 'Accept' });
  else writePlainText(response, 404, 'Not found.\n', { Vary: 'Accept' });
}

/** Redirects to the installation that has a page now. Browsers forget it soon, since the page may move back. */
export function writeMovedPage(response: ServerResponse, movedTo: string, path: string, query: string): void {
  const headers = { Location: `${movedTo}${path}${query && `?${query}`}`, 'Cache-Control': 'max-age=300' };
  writePlainText(response, 308, '', headers);
}
