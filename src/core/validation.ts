import { type FieldMessages, invalid, validationMessages } from './errors.js';

/** Collects the errors of all fields of an input, to refuse it once with all of them. */
export class Validation {
  private readonly messages: FieldMessages;

  /** `inputErrors` are those of fields that could not be parsed; they come first. */
  constructor(private readonly inputErrors: FieldMessages = {}) {
    this.messages = structuredClone(inputErrors);
  }

  addError(field: string, message: string): void {
    // The value could not be parsed, so an error about what replaces it would be misleading.
    if (this.inputErrors[field]) return;
    const messages = this.messages[field] ?? [];
    if (!messages.includes(message)) this.messages[field] = [...messages, message];
  }

  addErrors(messages: Partial<FieldMessages>): void {
    for (const [field, texts] of Object.entries(messages))
      for (const message of texts ?? []) this.addError(field, message);
  }

  /** Removes the errors of fields that do not apply to this record. */
  ignore(fields: readonly string[]): void {
    for (const field of fields) delete this.messages[field];
  }

  /** Tells whether the value of a field could not be parsed. */
  isUnreadable(field: string): boolean {
    return field in this.inputErrors;
  }

  /** Returns the errors without throwing. */
  errors(): FieldMessages {
    return this.messages;
  }

  /** Throws INVALID if there is any error. */
  throwIfInvalid(): void {
    if (Object.keys(this.messages).length) throw invalid(this.messages);
  }
}

/** How the value of one field is validated and stored. */
export interface FieldRule {
  /** Must not be blank. */
  required?: boolean;
  /** In code points. */
  maximumLength?: number;
  oneOf?: readonly unknown[];
  greaterThan?: number;
  /** Returns the value as it is stored, or null when its format is invalid. */
  normalize?: (value: string) => string | null | undefined;
  /** The messages for a value that `normalize` refuses. Default: that it is invalid. */
  explain?: (value: string) => string[];
  /** The value that null and blank set. Default: null. */
  fallback?: unknown;
}

export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

const isStorable = (value: string) => value.isWellFormed() && !value.includes('\0');
const isLongerThan = (value: string, maximum: number) => value.length > maximum && [...value].length > maximum;

export function validateText(validation: Validation, field: string, value: string, maximumLength: number): void {
  if (!isStorable(value)) validation.addError(field, validationMessages.invalid);
  else if (isLongerThan(value, maximumLength)) validation.addError(field, validationMessages.tooLong(maximumLength));
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
    const given = (input as Record<string, unknown>)[field];
    if (given === undefined && !(creating && rule.required)) continue;
    // A whole record that is sent back can have a value that was stored under an earlier rule.
    if (!creating && given === target[field]) continue;
    const value = validateValue(field, given, rule, validation);
    if (value !== undefined && value !== target[field]) target[field] = value as Target[typeof field];
  }
}

function validateValue(field: string, given: unknown, rule: FieldRule, validation: Validation): unknown {
  if (isBlank(given)) {
    if (!rule.required) return rule.fallback ?? null;
    validation.addError(field, validationMessages.blank);
    return undefined;
  }
  if (typeof given === 'string' && rule.maximumLength) validateText(validation, field, given, rule.maximumLength);
  if (rule.oneOf && !rule.oneOf.includes(given)) validation.addError(field, validationMessages.notIncluded);
  if (rule.greaterThan !== undefined && !((given as number) > rule.greaterThan))
    validation.addError(field, validationMessages.greaterThan(rule.greaterThan));
  if (!rule.normalize) return given;
  const normalized = rule.normalize(given as string) ?? undefined;
  if (normalized === undefined)
    validation.addErrors({ [field]: rule.explain?.(given as string) ?? [validationMessages.invalid] });
  return normalized;
}

/** Trims tags, and removes blank and repeated ones; the order stays. */
export function normalizeTags(validation: Validation, field: string, given: readonly string[]): string[] {
  const trimmed = given.map(tag => tag.trim()).filter(tag => tag !== '');
  for (const tag of trimmed) validateText(validation, field, tag, 255);
  return [...new Set(trimmed)];
}
