import { describeProblem, type FieldProblems } from './problems.js';

/**
 * The closed list of reasons for which a request is refused. It knows no HTTP and no GraphQL: REST and GraphQL each
 * have one mapper, which hides the details of any error that is not a Refusal.
 */
export const refusalCodes = [
  'BAD_REQUEST',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'GONE',
  'CONFLICT',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'INVALID',
  'THROTTLED',
  'UNAVAILABLE',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

interface RefusalDetails {
  /** Only with INVALID. */
  fields?: FieldProblems;
  /** Seconds; only with THROTTLED and UNAVAILABLE. */
  retryAfter?: number;
  /** The record that was not found. */
  record?: RecordName;
  /** Where in the arguments of the operation the refused value is; of a refused access, the selected fields. */
  path?: readonly string[];
  /** Of the record as it is; only with PRECONDITION_FAILED. */
  currentVersion?: number;
  /** The number of records that there are; only with PRECONDITION_FAILED. */
  currentCount?: number;
  /** The parts of a preview that the publication differs in; only with PRECONDITION_FAILED. */
  changedParts?: readonly string[];
}

export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly details: RefusalDetails = {},
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
  | 'recurring maintenance'
  | 'draft'
  | 'alert source'
  | 'alert payload'
  | 'alert group'
  | 'metric'
  | 'subscriber'
  | 'webhook'
  | 'component'
  | 'custom domain'
  | 'theme'
  | 'time zone'
  | 'publication'
  | 'delivery'
  | 'token'
  | 'audit entry'
  | 'person'
  | 'membership'
  | 'session'
  | 'passkey';

export const notFound = (record: RecordName) =>
  new Refusal('NOT_FOUND', `We couldn't find the ${record} you were looking for.`, { record });
export const movedTo = (url: string) => new Refusal('GONE', `The page has moved to ${url}`);
export const unauthenticated = (path?: readonly string[]) =>
  new Refusal('UNAUTHENTICATED', 'This action requires authentication to continue.', { path });
export const forbidden = (path?: readonly string[]) =>
  new Refusal('FORBIDDEN', 'The action you requested was forbidden.', { path });
export const badRequest = (message: string, path?: readonly string[]) => new Refusal('BAD_REQUEST', message, { path });
export const preconditionFailed = (currentVersion: number) =>
  new Refusal('PRECONDITION_FAILED', 'The record has changed since the version that the request names.', {
    path: ['ifVersion'],
    currentVersion,
  });
/** `expectedCount` of a mutation that writes to all records that match a filter is not how many these are. */
export const countMismatch = (records: string, count: number, expected: number) =>
  new Refusal(
    'PRECONDITION_FAILED',
    `The number of ${records} that match is ${count.toLocaleString('en')}, not ${expected.toLocaleString('en')}.`,
    { path: ['expectedCount'], currentCount: count },
  );
export const invalid = (fields: FieldProblems) =>
  new Refusal('INVALID', 'The current resource was deemed invalid.', { fields });

/** The message of a refusal; of an invalid input, what is wrong with each field. */
export const describeRefusal = ({ message, details: { fields } }: Refusal): string =>
  fields
    ? Object.entries(fields)
        .flatMap(([field, problems]) => problems.map(problem => describeProblem(field, null, problem)))
        .join(' ')
    : message;

/** A mistake in a command on the terminal. Its message is printed, and the exit code is 1. */
export class CommandError extends Error {}
