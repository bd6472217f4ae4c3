/**
 * The closed list of reasons for which a request is refused. It knows no HTTP and no GraphQL: REST and GraphQL each
 * have one mapper, which hides the details of any error that is not a Refusal.
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

/** The field's name in GraphQL (`beginsAtDate`) to the messages that clients show. */
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

/** The names of records in a "not found". */
export type RecordName =
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
  | 'delivery'
  | 'token';

export const notFound = (name: RecordName) =>
  new Refusal('NOT_FOUND', `We couldn't find the ${name} you were looking for.`);
export const unauthenticated = () => new Refusal('UNAUTHENTICATED', 'This action requires authentication to continue.');
export const forbidden = () => new Refusal('FORBIDDEN', 'The action you requested was forbidden.');
export const badRequest = (message: string) => new Refusal('BAD_REQUEST', message);
export const preconditionFailed = () =>
  new Refusal('PRECONDITION_FAILED', 'The record has changed since the version that the request names.');
export const invalid = (fields: FieldMessages) =>
  new Refusal('INVALID', 'The current resource was deemed invalid.', fields);

/** The messages of validation. Existing clients show them, so they must not change. */
export const validationMessages = {
  blank: "can't be blank",
  invalid: 'is invalid',
  notIncluded: 'is not included in the list',
  taken: 'has already been taken',
  notOfType: (type: string) => `is no field of ${type}`,
  tooLong: (maximum: number) => `is too long (maximum is ${maximum} characters)`,
  notANumber: 'is not a number',
  notAnInteger: 'must be an integer',
  greaterThan: (bound: number) => `must be greater than ${bound}`,
} as const;

/** A mistake in a command on the terminal. Its message is printed, and the exit code is 1. */
export class CommandError extends Error {}
