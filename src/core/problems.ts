/** Why the value of a field is refused: a closed list for clients that decide by it. */
export const problemCodes = {
  BLANK: 'A value is required.',
  TOO_LONG: 'The text or the list is too long.',
  INVALID: 'The value is not valid.',
  NOT_IN_LIST: 'The value is none of those that are allowed.',
  NOT_FOUND: 'The page has no record with this id.',
  TAKEN: 'Another record has the value, which must be unique.',
  OUT_OF_RANGE: 'The number or the time is too small or too large.',
  IN_FUTURE: 'The time has not come yet.',
  BEFORE_START: 'The end is not after the start.',
  NOT_APPLICABLE: 'The field does not belong to a record of this type or in this state.',
};
export type ProblemCode = keyof typeof problemCodes;

export interface Problem {
  code: ProblemCode;
  /** The texts in the `messages` of /v1. */
  messages: readonly string[];
  /** What the value must be, as the rest of a sentence that begins with the field. */
  requirement: string;
  /** The values that are allowed, at the end of the requirement. */
  allowed?: readonly string[];
  /** Which member of a list it is about. Default: the whole value. */
  index?: number;
  /** Which field of this member. Default: the whole member. */
  key?: string;
  /** Whether the sentence leaves out the value: it is a secret, or named already. */
  hidesValue?: boolean;
}

/** The keys that lead from the field to the value. */
export const listKeys = ({ index, key }: Problem): string[] =>
  [index, key].filter(one => one !== undefined).map(String);

/** The field's name in GraphQL (`beginsAtDate`) to what is wrong with its value. */
export type FieldProblems = Record<string, Problem[]>;

/** The messages of validation over /v1. Existing clients show them, so they must not change. */
export const validationMessages = {
  blank: "can't be blank",
  invalid: 'is invalid',
  notIncluded: 'is not included in the list',
  taken: 'has already been taken',
  tooLong: (max: number) => `is too long (maximum is ${max} characters)`,
  notANumber: 'is not a number',
  notAnInteger: 'must be an integer',
  greaterThan: (bound: number) => `must be greater than ${bound}`,
} as const;

/** A value that `messages` calls invalid: its format is wrong, or what `code` says. */
const invalidValue = (requirement: string, code: ProblemCode = 'INVALID'): Problem => ({
  code,
  messages: [validationMessages.invalid],
  requirement,
});

/** The problems of validation. A requirement continues a sentence: "`subject` must not be blank". */
export const problems = {
  blank: { code: 'BLANK', messages: [validationMessages.blank], requirement: 'must not be blank' },
  tooLong: (max: number): Problem => ({
    code: 'TOO_LONG',
    messages: [validationMessages.tooLong(max)],
    requirement: `must have at most ${max.toLocaleString('en')} characters`,
  }),
  invalid: invalidValue,
  tooMany: (max: number): Problem => ({
    code: 'TOO_LONG',
    messages: [`has more than ${max} members`],
    requirement: `must have at most ${max.toLocaleString('en')} members`,
  }),
  notFound: (requirement: string) => invalidValue(requirement, 'NOT_FOUND'),
  notIncluded: (allowed: readonly string[]): Problem => ({
    code: 'NOT_IN_LIST',
    messages: [validationMessages.notIncluded],
    requirement: 'must be one of',
    allowed,
  }),
  taken: (holder: string): Problem => ({
    code: 'TAKEN',
    messages: [validationMessages.taken],
    requirement: `must not be that of ${holder}`,
  }),
  outOfRange: (requirement: string, message: string = validationMessages.invalid): Problem => ({
    code: 'OUT_OF_RANGE',
    messages: [message],
    requirement,
  }),
  greaterThan: (bound: number): Problem => ({
    code: 'OUT_OF_RANGE',
    messages: [validationMessages.greaterThan(bound)],
    requirement: `must be greater than ${bound}`,
  }),
  inFuture: invalidValue('must not be in the future', 'IN_FUTURE'),
  beforeStart: (start: string) => invalidValue(`must be after ${start}`, 'BEFORE_START'),
  componentNotFound: (index?: number): Problem => ({
    ...invalidValue('must be the id of a component of the page', 'NOT_FOUND'),
    index,
  }),
  /** A file or a list that cannot be used: `message` says why, as the rest of a sentence. */
  unusable: (message: string, requirement = message): Problem => ({
    code: 'INVALID',
    messages: [message],
    requirement: requirement.replace(/\.$/, ''),
    hidesValue: true,
  }),
  notApplicable: (requirement: string) => invalidValue(requirement, 'NOT_APPLICABLE'),
} as const satisfies Record<string, Problem | ((...values: never[]) => Problem)>;

/** The texts in the `messages` of /v1, by the name of the field. */
export const toMessages = (fields: FieldProblems): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(fields).map(([field, found]) => [field, [...new Set(found.flatMap(({ messages }) => messages))]]),
  );

const maxShownLength = 60;

/** A sentence about a value: what it must be, and what it is. `field` may be a path; `shown` is from `showValue`. */
export function describeProblem(field: string, shown: string | null, problem: Problem): string {
  const { requirement, allowed, hidesValue } = problem;
  const list = allowed ? ` ${allowed.join(', ')}` : '';
  return `\`${field}\` ${requirement}${list}${shown && !hidesValue ? `, not ${shown}` : ''}.`;
}

/** In units of UTF-16. Of a longer text, which may have megabytes and be a hundred wrong values, only this is read. */
const maxReadLength = 200_000;

/** Null for a value that is absent, blank, or not to be read by people. */
export function showValue(value: unknown): string | null {
  if (typeof value === 'string') {
    const read = value.slice(0, maxReadLength).toWellFormed();
    if (read.trim() === '') return null;
    // Taken apart, a text would take a hundred times as much memory.
    const characters = [...read.slice(0, 2 * maxShownLength + 1)];
    if (characters.length <= maxShownLength) return JSON.stringify(read);
    const start = JSON.stringify(`${characters.slice(0, maxShownLength).join('')}…`);
    const isLong = value.length > maxReadLength;
    return `${start} (${isLong ? `over ${toCount(maxReadLength / 2)}` : toCount(countCharacters(read))} characters)`;
  }
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

const toCount = (count: number): string => count.toLocaleString('en');

function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) if ((text.charCodeAt(index) & 0xfc00) === 0xd800) count -= 1;
  return count;
}
