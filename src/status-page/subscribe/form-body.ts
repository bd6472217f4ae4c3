import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';

/** A form as it was sent, or why it was not read. */
export type Body = { form: URLSearchParams; isOneClick: boolean } | { status: 400 | 413 | 415; sentence: string };

const limit = 16 * 1024;

/** RFC 8058: the only thing that a mail program says, in either form of a form. */
const oneClick = /^List-Unsubscribe=One-Click$|name="?List-Unsubscribe"?\r?\n(?:[^\n]*\n)*?\r?\nOne-Click/m;

/** Forms are all that is read here. Mail programs send theirs in parts; of those nothing is taken but whether it is that one. */
export async function readForm(request: IncomingMessage): Promise<Body> {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  const isMultipart = type === 'multipart/form-data';
  const isPacked = (request.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity';
  if ((type && type !== 'application/x-www-form-urlencoded' && !isMultipart) || isPacked) {
    return { status: 415, sentence: 'Only forms are read here.\n' };
  }
  try {
    const text = (await rawBody(request, { length: request.headers['content-length'], limit })).toString('utf8');
    return { form: isMultipart ? new URLSearchParams() : new URLSearchParams(text), isOneClick: oneClick.test(text) };
  } catch (error) {
    const isTooLarge = (error as { type?: string }).type === 'entity.too.large';
    return isTooLarge
      ? { status: 413, sentence: 'The form is too large.\n' }
      : { status: 400, sentence: 'The form ended before its announced length.\n' };
  }
}
