export interface UserError {
  path: string[];
  message: string;
}

/** What was refused, by the field of the form. The key '' has what belongs to none. */
export type FieldErrors = Record<string, string>;

/**
 * The path is in the arguments: `["input", "componentIds", "1"]` belongs to the field of the components, and so does
 * `["input", "0", "change", "openIncident", "componentIds"]`, of several pages.
 */
export function toFieldErrors(errors: UserError[]): FieldErrors {
  const result: FieldErrors = {};
  for (const { path, message } of errors) {
    const [first, second = ''] = path;
    const field = (first === 'input' && (/^\d+$/.test(second) ? path[4] : second)) || '';
    // The names of arguments stand in backquotes.
    result[field] = [result[field], message.replaceAll('`', '')].filter(Boolean).join(' ');
  }
  return result;
}

/** What a form says: beside the fields on the screen, and above the buttons what belongs to none of them. */
export function toFormErrors<Field extends string>(errors: UserError[] | undefined, shownFields: readonly Field[]) {
  const all = toFieldErrors(errors ?? []);
  return { errors: all as Partial<Record<Field, string>>, others: joinOtherErrors(all, shownFields) };
}

/** What is said above the buttons: what belongs to none of the fields on the screen. */
export const joinOtherErrors = (errors: FieldErrors, shownFields: readonly string[] = []): string | undefined =>
  Object.entries(errors)
    .filter(([field]) => !shownFields.includes(field))
    .map(([, message]) => message)
    .join(' ') || undefined;
