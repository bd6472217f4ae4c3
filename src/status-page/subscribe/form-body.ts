import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';

/** The fields of a submitted form, or the response that rejects it. */
type FormBody = { form: URLSearchParams; isOneClick: boolean } | { status: 400 | 413 | 415; message: string };

/** A page has 5,000 components, and `components=1234567&` has 19 bytes. */
const maxBytes = 128 * 1024;

/** The one-click body of RFC 8058, URL-encoded or multipart. */
const oneClickPattern = /^List-Unsubscribe=One-Click$|name="?List-Unsubscribe"?\r?\n(?:[^\n]*\n)*?\r?\nOne-Click/m;

/** Reads URL-encoded forms. Of a multipart body, which mail clients send, only the one-click field is read. */
export async function readFormBody(request: IncomingMessage): Promise<FormBody> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const isMultipart = type === 'multipart/form-data';
  const isCompressed = (request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  if ((type && type !== 'application/x-www-form-urlencoded' && !isMultipart) || isCompressed) {
    return { status: 415, message: 'The Content-Type must be application/x-www-form-urlencoded.\n' };
  }
  try {
    const text = (await rawBody(request, { length: request.headers['content-length'], limit: maxBytes })).toString(
      'utf8',
    );
    return {
      form: isMultipart ? new URLSearchParams() : new URLSearchParams(text),
      isOneClick: oneClickPattern.test(text),
    };
  } catch (error) {
    const isTooLarge = (error as { type?: string }).type === 'entity.too.large';
    return isTooLarge
      ? { status: 413, message: 'The form is too large.\n' }
      : { status: 400, message: 'The form ended before its announced length.\n' };
  }
}
