import type { AlertFieldsInput } from '../api/documents.ts';

/** Field paths as texts: lists of states are joined by commas, labels are lines. */
export type FieldsForm = Record<keyof AlertFieldsInput, string>;

export function toFieldsForm(fields: AlertFieldsInput | null): FieldsForm {
  const { firingStates, resolvedStates, labels } = fields ?? {};
  return {
    title: fields?.title ?? '',
    alerts: fields?.alerts ?? '',
    text: fields?.text ?? '',
    state: fields?.state ?? '',
    key: fields?.key ?? '',
    group: fields?.group ?? '',
    service: fields?.service ?? '',
    startsAt: fields?.startsAt ?? '',
    firingStates: firingStates?.join(', ') ?? '',
    resolvedStates: resolvedStates?.join(', ') ?? '',
    labels: labels?.map(({ name, path }) => `${name} = ${path}`).join('\n') ?? '',
  };
}

export function toFieldsInput(form: FieldsForm): AlertFieldsInput {
  const { title, firingStates, resolvedStates, labels, ...paths } = form;
  const split = (text: string, separator: string) =>
    text
      .split(separator)
      .map(part => part.trim())
      .filter(Boolean);
  return {
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, path.trim() || null])),
    title: title.trim(),
    firingStates: split(firingStates, ','),
    resolvedStates: split(resolvedStates, ','),
    labels: split(labels, '\n').map(line => {
      const [name = '', ...path] = line.split('=');
      return { name: name.trim(), path: path.join('=').trim() };
    }),
  };
}
