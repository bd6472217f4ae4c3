import { type FieldMessages, invalid, text } from './errors.js';

/** What is wrong with an input, gathered over all its fields and refused at once. */
export class Checks {
  private readonly messages: FieldMessages;

  /** `found` is what the edge found wrong already, and could not hand on as a value; it stands before what is found here. */
  constructor(private readonly found: FieldMessages = {}) {
    this.messages = structuredClone(found);
  }

  refuse(field: string, message: string): void {
    // A value that could not even be read has been said to be wrong; what stands in its place says nothing.
    if (this.found[field]) return;
    const messages = this.messages[field] ?? [];
    if (!messages.includes(message)) this.messages[field] = [...messages, message];
  }

  refuseAll(messages: Partial<FieldMessages>): void {
    for (const [field, texts] of Object.entries(messages))
      for (const message of texts ?? []) this.refuse(field, message);
  }

  /** Whatever is wrong with these fields: they do not count for this record. */
  ignore(fields: readonly string[]): void {
    for (const field of fields) delete this.messages[field];
  }

  /** Whether the edge could not read what was sent for a field. */
  isUnreadable(field: string): boolean {
    return field in this.found;
  }

  /** For who tells of it in another way. */
  all(): FieldMessages {
    return this.messages;
  }

  /** Throws when anything was refused. */
  pass(): void {
    if (Object.keys(this.messages).length) throw invalid(this.messages);
  }
}

/** How one field of an input becomes one of a record. */
export interface FieldRule {
  /** May not be blank. */
  required?: boolean;
  /** Code points, at most. */
  longest?: number;
  oneOf?: readonly unknown[];
  greaterThan?: number;
  /** The value as it is kept, or null when its form is wrong. */
  form?: (value: string) => string | null;
  /** What null and blank set; null without it. */
  fallback?: unknown;
}

export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

const isText = (value: string) => value.isWellFormed() && !value.includes('\0');
const longerThan = (value: string, longest: number) => value.length > longest && [...value].length > longest;

export function checkText(checks: Checks, field: string, value: string, longest: number): void {
  if (!isText(value)) checks.refuse(field, text.invalid);
  else if (longerThan(value, longest)) checks.refuse(field, text.tooLong(longest));
}

/** Absent keeps, null or blank clears to the default, a value sets; the rules say what is refused. */
export function applyFields<Target extends object>(
  target: Target,
  input: object,
  rules: { [field in keyof Target]?: FieldRule },
  checks: Checks,
  creating: boolean,
): void {
  for (const [field, rule] of Object.entries(rules) as [keyof Target & string, FieldRule][]) {
    const given = (input as Record<string, unknown>)[field];
    if (given === undefined && !(creating && rule.required)) continue;
    const value = checkedValue(field, given, rule, checks);
    if (value !== undefined && value !== target[field]) target[field] = value as Target[typeof field];
  }
}

function checkedValue(field: string, given: unknown, rule: FieldRule, checks: Checks): unknown {
  if (isBlank(given)) {
    if (!rule.required) return rule.fallback ?? null;
    checks.refuse(field, text.blank);
    return undefined;
  }
  if (typeof given === 'string' && rule.longest) checkText(checks, field, given, rule.longest);
  if (rule.oneOf && !rule.oneOf.includes(given)) checks.refuse(field, text.notIncluded);
  if (rule.greaterThan !== undefined && !((given as number) > rule.greaterThan))
    checks.refuse(field, text.greaterThan(rule.greaterThan));
  if (!rule.form) return given;
  const formed = rule.form(given as string);
  if (formed === null) checks.refuse(field, text.invalid);
  return formed ?? undefined;
}

/** Tags: trimmed, none blank, none twice, in the order given. */
export function tags(checks: Checks, field: string, given: readonly string[]): string[] {
  const trimmed = given.map(tag => tag.trim()).filter(tag => tag !== '');
  for (const tag of trimmed) checkText(checks, field, tag, 255);
  return [...new Set(trimmed)];
}
