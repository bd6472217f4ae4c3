import type { RequestListener } from 'node:http';
import { type Admission, overloadRefusal } from '../http/admission.js';
import { toErrorResponse } from './errors.js';
import { commonHeaders, jsonType } from './router.js';
import { isList } from './v1/route.js';
import { routes } from './routes.js';

/**
 * Refuses lists under overload, before the router and the token: their CPU time matters when nearly all of very many
 * requests are refused.
 */
export function createListRefusal(admission: Admission): (...request: Parameters<RequestListener>) => boolean {
  const paths = routes.filter(isList).map(([, path]) => path.replaceAll(/:\w+/g, '[^/?]+'));
  const pattern = new RegExp(`^/v?1(?:${paths.join('|')})/?(?:\\?|$)`);
  const { status, headers, body } = toErrorResponse(overloadRefusal());
  const text = JSON.stringify(body);
  const allHeaders = Object.entries({
    ...commonHeaders,
    ...headers,
    'Content-Type': jsonType,
    'Content-Length': String(Buffer.byteLength(text)),
  }).flat();
  return (request, response) => {
    if (!pattern.test(request.url!) || !admission.refuses('list')) return false;
    response.writeHead(status, allHeaders).end(text);
    return true;
  };
}
