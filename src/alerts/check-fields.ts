import { problems } from '../core/problems.js';
import { isBlank, type Validation, validateText } from '../core/validation.js';
import type { AlertFieldsInput } from './alert-source.inputs.js';
import { type AlertFields, fieldLimits, findPathProblem, pathFields } from './formats/custom.js';

/** The field paths of a source, with the error of each path under its own field. */
export function checkFields(validation: Validation, input: AlertFieldsInput): AlertFields {
  const { alerts = null, firingStates, resolvedStates, labels } = input;
  const checkPath = (field: string, path: string | null, mayBeOfAlert = alerts !== null): string | null => {
    if (path === null) return null;
    validateText(validation, `fields.${field}`, path, fieldLimits.length);
    const problem = path.length > fieldLimits.length ? null : findPathProblem(path, mayBeOfAlert);
    // The error of the library has the path.
    if (problem)
      validation.addError(`fields.${field}`, { ...problems.invalid(problem), hidesValue: problem.includes(path) });
    return path;
  };
  const checkList = <Item>(field: string, list: readonly Item[], max: number): readonly Item[] => {
    if (list.length > max) validation.addError(`fields.${field}`, problems.tooMany(max));
    return list.slice(0, max);
  };
  const checkStates = (field: string, states: readonly string[]) => {
    const checked = checkList(field, states, fieldLimits.states);
    for (const [index, state] of checked.entries())
      validateText(validation, `fields.${field}.${index}`, state, fieldLimits.length);
    return checked;
  };
  if (input.state == null && (firingStates?.length || resolvedStates?.length))
    validation.addError('fields.state', problems.blank);
  const paths = pathFields.map(field => [field, checkPath(field, input[field] ?? null)] as const);
  return {
    alerts: checkPath('alerts', alerts, false),
    ...(Object.fromEntries(paths) as Pick<AlertFields, (typeof pathFields)[number]>),
    firingStates: checkStates('firingStates', firingStates ?? []),
    resolvedStates: checkStates('resolvedStates', resolvedStates ?? []),
    labels: checkList('labels', labels ?? [], fieldLimits.labels).map(({ name, path }, index) => {
      validateText(validation, `fields.labels.${index}.name`, name, fieldLimits.length);
      if (isBlank(name)) validation.addError(`fields.labels.${index}.name`, problems.blank);
      return { name, path: checkPath(`labels.${index}.path`, path)! };
    }),
  };
}
