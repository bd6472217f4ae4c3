import { invalid } from './errors.js';
import { type FieldProblems, type Problem, problems } from './problems.js';

/** Collects the errors of all fields of an input, to refuse it once with all of them. */
export class Validation {
  private readonly problems: FieldProblems;
  /** The problems of each field, as texts that are equal where the problems are. */
  private readonly known = new Map<string, Set<string>>();

  /** `inputErrors` are those of fields that could not be parsed; they come first. */
  constructor(private readonly inputErrors: FieldProblems = {}) {
    this.problems = structuredClone(inputErrors);
  }

  addError(field: string, problem: Problem): void {
    // The value could not be parsed, so an error about what replaces it would be misleading.
    if (this.inputErrors[field]) return;
    const { requirement, index, key } = problem;
    const known = this.known.get(field) ?? new Set();
    this.known.set(field, known);
    // A list of a thousand ids has a problem for each: looking through those before would take quadratic time.
    const identity = JSON.stringify([requirement, index, key]);
    if (known.has(identity)) return;
    known.add(identity);
    this.problems[field] ??= [];
    this.problems[field].push(problem);
  }

  addErrors(given: Partial<FieldProblems>): void {
    for (const [field, problems] of Object.entries(given))
      for (const problem of problems ?? []) this.addError(field, problem);
  }

  /** Removes the errors of fields that do not apply to this record. */
  ignore(fields: readonly string[]): void {
    for (const field of fields) {
      delete this.problems[field];
      this.known.delete(field);
    }
  }

  /** Tells whether the value of a field could not be parsed. */
  isUnreadable(field: string): boolean {
    return field in this.inputErrors;
  }

  errors(): FieldProblems {
    return this.problems;
  }

  throwIfInvalid(): void {
    if (Object.keys(this.problems).length) throw invalid(this.problems);
  }
}

export interface FieldRule {
  /** Must not be blank. */
  required?: boolean;
  /** In code points. */
  maxLength?: number;
  oneOf?: readonly unknown[];
  between?: readonly [number, number];
  /** Returns the value as it is stored, or null when its format is invalid. */
  normalize?: (value: string) => string | null | undefined;
  /** What a value that `normalize` accepts is, after "must be". */
  form?: string;
  /** The problem of a value that `normalize` refuses. Default: that it has the wrong format. */
  explain?: (value: string) => Problem;
  /** The value that null and blank set. Default: null. */
  fallback?: unknown;
}

export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

export const isStorable = (value: string) => value.isWellFormed() && !value.includes('\0');
/** A code point has at most two units, so that a text of any length is not taken apart. */
const isLongerThan = (value: string, max: number) =>
  value.length > max && [...value.slice(0, 2 * max + 1)].length > max;

export function validateText(validation: Validation, field: string, value: string, maxLength: number): void {
  if (!isStorable(value)) validation.addError(field, problems.invalid('must not contain NUL or half a surrogate pair'));
  else if (isLongerThan(value, maxLength)) validation.addError(field, problems.tooLong(maxLength));
}

/** Applies an input to a record: an absent field stays, null or blank resets it, a value is validated and set. */
export function applyFields<Target extends object>(
  target: Target,
  input: object,
  rules: { [field in keyof Target]?: FieldRule },
  validation: Validation,
  creating: boolean,
): void {
  for (const [field, rule] of Object.entries(rules) as [keyof Target & string, FieldRule][]) {
    const inputValue = (input as Record<string, unknown>)[field];
    if (inputValue === undefined && !(creating && rule.required)) continue;
    // A whole record that is sent back can have a value that was stored under an earlier rule.
    if (!creating && inputValue === target[field]) continue;
    const value = validateValue(field, inputValue, rule, validation);
    if (value !== undefined && value !== target[field]) target[field] = value as Target[typeof field];
  }
}

function validateValue(field: string, given: unknown, rule: FieldRule, validation: Validation): unknown {
  if (isBlank(given)) {
    if (!rule.required) return rule.fallback ?? null;
    validation.addError(field, problems.blank);
    return undefined;
  }
  if (typeof given === 'string' && rule.maxLength) validateText(validation, field, given, rule.maxLength);
  if (rule.oneOf && !rule.oneOf.includes(given))
    validation.addError(field, problems.notIncluded(rule.oneOf.map(String)));
  if (rule.between && ((given as number) < rule.between[0] || (given as number) > rule.between[1]))
    validation.addError(field, problems.outOfRange(`must be from ${rule.between.join(' to ')}`));
  if (!rule.normalize) return given;
  const normalized = rule.normalize(given as string) ?? undefined;
  if (normalized === undefined)
    validation.addError(field, rule.explain?.(given as string) ?? problems.invalid(`must be ${rule.form}`));
  return normalized;
}

/** A page has the tags of all of its notices in memory. */
export const maxTags = 100;

/** How many members a list can have before blank and repeated ones are removed. */
const maxGivenTags = 1_000;

/**
 * Splits tags at commas, trims them, and removes blank and repeated ones; the order stays. Those that are stored may be
 * more: clients of /v1 send them back.
 */
export function normalizeTags(
  validation: Validation,
  field: string,
  given: readonly string[],
  stored: readonly string[] = [],
): string[] {
  const members = given.slice(0, maxGivenTags + 1).flatMap(member => member.split(',', maxGivenTags + 1));
  const trimmed = members.map(tag => tag.trim()).filter(tag => tag !== '');
  for (const tag of trimmed) validateText(validation, field, tag, 255);
  const tags = [...new Set(trimmed)];
  const isTooLong = tags.length > maxTags || members.length > maxGivenTags;
  if (isTooLong && tags.join() !== stored.join()) validation.addError(field, problems.tooMany(maxTags));
  return tags;
}
