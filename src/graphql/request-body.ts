import type { DocumentNode } from 'graphql';
import type { Context as KoaContext } from 'koa';
import { type Caller, canWrite } from '../auth/access.js';
import type { Admission } from '../http/admission/admission.js';
import { createBodyReader, decodeUtf8 } from '../http/body.js';
import type { BodyLimits } from '../http/body-limits.js';
import { Refusal } from '../core/errors.js';
import {
  countCharacters,
  countVariableUses,
  findDeepestLiteral,
  findDeepVariable,
  findLongName,
} from './query-shape.js';

const MEGABYTE = 1024 * 1024;
const MAX_QUERY = 100 * 1024;

const maxBytesWithoutFile = MEGABYTE;
const readBody = createBodyReader(['application/json'], maxBytesWithoutFile);
/** The largest image for an update, of 2 MB, as base64, and what is around it. */
const readBodyOfDrafter = createBodyReader(['application/json'], 3 * MEGABYTE);
/** The largest theme, of 10 MB, the same way. */
const readBodyOfPublisher = createBodyReader(['application/json'], 14 * MEGABYTE);

interface Dependencies {
  bodyLimits: Pick<BodyLimits, 'countForWriters'>;
  admission: Pick<Admission, 'beginParsing'>;
}

/**
 * Reads the text of the body of a POST, which may be parsed at once. Its operation is unknown until then, so the limit
 * is that of the caller.
 */
export async function readBodyText(
  ctx: KoaContext,
  caller: Caller,
  { bodyLimits, admission }: Dependencies,
): Promise<string> {
  const isWriter = canWrite(caller);
  if (isWriter) bodyLimits.countForWriters(ctx.req);
  const read = canWrite(caller, 'publisher') ? readBodyOfPublisher : isWriter ? readBodyOfDrafter : readBody;
  const bytes = await read(ctx);
  // What an operator writes waits for nobody, but for a file.
  if (!isWriter || bytes.length > maxBytesWithoutFile) await admission.beginParsing(bytes.length, caller);
  return decodeUtf8(bytes);
}

export function checkQuerySize(query: unknown): void {
  if (typeof query === 'string' && Buffer.byteLength(query) > MAX_QUERY)
    throw new Refusal('PAYLOAD_TOO_LARGE', 'The query text is larger than 100 KB.');
}

interface ValueLimits {
  nesting: number;
  memberLength: number;
  usedCharacters: number;
}

interface KnownDocument {
  literal: ReturnType<typeof findDeepestLiteral>;
  uses: ReturnType<typeof countVariableUses>;
}

/** By the parsed document, which Apollo caches. */
const documents = new WeakMap<DocumentNode, KnownDocument>();

/** Bounds the values of a request, before anything walks through them. Null: they are within the limits. */
export function findValueProblem(
  document: DocumentNode,
  variables: Record<string, unknown>,
  { nesting, memberLength, usedCharacters }: ValueLimits,
): string | null {
  const known = documents.get(document) ?? {
    literal: findDeepestLiteral(document),
    uses: countVariableUses(document),
  };
  documents.set(document, known);
  const { literal, uses } = known;
  const variable = findDeepVariable(variables, nesting);
  const levels = `more than ${nesting} lists and objects within each other.`;
  if (literal.depth > nesting) return `The argument \`${literal.argument}\` has ${levels}`;
  if (variable !== undefined) return `The variable \`${variable}\` has ${levels}`;
  const long = findLongName(variables, memberLength);
  if (long !== undefined)
    return (
      `The variable \`${long}\` has a member whose name is longer than ${memberLength.toLocaleString('en')} ` +
      'characters.'
    );
  const used = Object.entries(variables).map(([name, value]) => (uses.get(name) ?? 0) * countCharacters(value));
  return used.reduce((sum, one) => sum + one, 0) > usedCharacters
    ? `The texts of the variables have more than ${usedCharacters.toLocaleString('en')} characters, each as often as ` +
        'the document uses it.'
    : null;
}
