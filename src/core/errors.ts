/**
 * The closed list of ways in which All Clear says no. It knows codes and words, no HTTP and no GraphQL:
 * each edge has one mapper of its own, and hides whatever is not a Refusal.
 */
export const refusalCodes = [
  'BAD_REQUEST',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'INVALID',
  'THROTTLED',
  'UNAVAILABLE',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** Field name as the graph writes it (`beginsAtDate`) to the texts that clients print. */
export type FieldMessages = Record<string, string[]>;

export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
    /** Only with INVALID. */
    readonly fields?: FieldMessages,
    /** Seconds; only with THROTTLED and UNAVAILABLE. */
    readonly retryAfter?: number,
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** The words that a "not found" may name. */
export type RecordWord =
  | 'page'
  | 'notice'
  | 'update'
  | 'notice template'
  | 'subscriber'
  | 'component'
  | 'custom domain'
  | 'theme'
  | 'time zone'
  | 'publication'
  | 'delivery';

export const notFound = (word: RecordWord) =>
  new Refusal('NOT_FOUND', `We couldn't find the ${word} you were looking for.`);
export const unauthenticated = () => new Refusal('UNAUTHENTICATED', 'This action requires authentication to continue.');
export const forbidden = () => new Refusal('FORBIDDEN', 'The action you requested was forbidden.');
export const badRequest = (sentence: string) => new Refusal('BAD_REQUEST', sentence);
export const stale = () =>
  new Refusal('PRECONDITION_FAILED', 'The record was changed since the version that the request names.');
export const invalid = (fields: FieldMessages) =>
  new Refusal('INVALID', 'The current resource was deemed invalid.', fields);

/** The texts of validation; clients in the field print them. */
export const text = {
  blank: "can't be blank",
  invalid: 'is invalid',
  notIncluded: 'is not included in the list',
  taken: 'has already been taken',
  tooLong: (maximum: number) => `is too long (maximum is ${maximum} characters)`,
  notANumber: 'is not a number',
  notAnInteger: 'must be an integer',
  greaterThan: (bound: number) => `must be greater than ${bound}`,
} as const;

/** A command at the terminal that was asked for in a wrong way, or for what is not there: its sentence is printed, and the exit code is 1. */
export class CommandRefused extends Error {}
