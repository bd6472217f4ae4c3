import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import type { Filter } from '../records/filter-sql.js';
import { badRequest } from '../core/errors.js';
import { parseTimestamp } from '../core/timestamp.js';
import { booleanTexts, inputFields } from './input.js';
import type { Parameter, Parameters } from './request/parameters.js';
import { toWireName } from './wire-names.js';

interface FilterKey {
  /** `['components', 'name', 'cont']`. */
  path: string[];
  kind: string;
  isList: boolean;
  /** The closed list that the value is compared with. */
  values?: readonly string[];
  /** The attribute of a record that the value is compared with: `['Notice', 'id']`. */
  attribute: [record: string, name: string];
}

/** Keys of existing clients: a browser widget requests the notices of components and their relatives by this name. */
const aliases: ReadonlyMap<string, string> = new Map([
  [
    'components_id_or_components_descendant_hierarchies_descendant_id_or_' +
      'components_ancestor_hierarchies_ancestor_id_in',
    'for_components',
  ],
]);

/** Creates a reader from a filter type. `keys` holds the legal keys, such as `subject_cont`, `components_name_cont`. */
export function createFilterReader(type: GraphQLInputObjectType): {
  keys: ReadonlyMap<string, FilterKey>;
  read: (parameter: Parameter | undefined, ignored?: ReadonlySet<string>) => Filter | undefined;
} {
  // Reversed, so that an attribute of the record wins over one of the same name through an association.
  const keys = new Map(collectKeys(type, { path: [], prefix: '' }, true).reverse());
  const read = (parameter: Parameter | undefined, ignored?: ReadonlySet<string>): Filter | undefined => {
    if (parameter === undefined || isBlankOrEmpty(parameter)) return undefined;
    if (!isMap(parameter)) throw badRequest('The parameter filter is a map: filter[<attribute>_<operator>]=<value>.');
    const filter: Filter = {};
    for (const [name, value] of Object.entries(parameter)) {
      if (ignored?.has(name) && isMap(value)) continue;
      const key = keys.get(aliases.get(name) ?? name);
      // A blank value sets no condition, whatever its key: browser widgets in the field send every filter they know.
      if (!key && isBlankOrEmpty(value) && !/_(present|blank)$/.test(name)) continue;
      if (!key)
        throw badRequest(
          `There is no filter ${quoted(name)} here. There are: ${[...keys.keys()].reverse().join(', ')}.`,
        );
      const condition = readCondition(name, key, value);
      if (condition !== undefined) setAt(filter, key.path, condition);
    }
    return filter;
  };
  return { keys, read };
}

/** Follows one level of associations, as docs/rest-api.md defines. */
function collectKeys(
  type: GraphQLInputObjectType,
  parents: { path: string[]; prefix: string },
  followsAssociations: boolean,
): [string, FilterKey][] {
  const record = type.name.replace(/Filter$/, '');
  return inputFields(type).flatMap(({ name, type: operators }): [string, FilterKey][] => {
    const path = [...parents.path, name];
    const key = `${parents.prefix}${toWireName(name, record)}`;
    if (!isInputObjectType(operators)) {
      // A condition that is not an attribute (for_component, for_components) takes ids of components.
      return [
        [
          key,
          { path, kind: getNamedType(operators).name, isList: isListType(operators), attribute: ['Component', 'id'] },
        ],
      ];
    }
    const attribute: FilterKey['attribute'] = [record, name];
    if (!('eq' in operators.getFields()))
      return followsAssociations ? collectKeys(operators, { path, prefix: `${key}_` }, false) : [];
    return Object.values(operators.getFields()).map(operator => {
      const operatorPath = [...path, operator.name];
      return [
        `${key}_${toWireName(operator.name)}`,
        {
          path: operatorPath,
          kind: getNamedType(operator.type).name,
          isList: isListType(operator.type),
          values: equalityOperators.includes(operator.name) ? listValues(operator.type) : undefined,
          attribute,
        },
      ];
    });
  });
}

/** The other operators compare a state with any text. */
const equalityOperators = ['eq', 'notEq', 'in', 'notIn'];

function listValues(type: GraphQLInputType): string[] | undefined {
  const named = getNamedType(type);
  return isEnumType(named) ? named.getValues().map(({ value }) => String(value)) : undefined;
}

function readCondition(name: string, key: FilterKey, parameter: Parameter): unknown {
  const { path, isList } = key;
  const operator = path.at(-1);
  if (operator === 'present' || operator === 'blank')
    return isBlank(parameter) ? true : readValue(name, { path, kind: 'Boolean' }, parameter);
  if (isList) {
    const members = (Array.isArray(parameter) ? parameter : [parameter]).filter(member => !isBlank(member));
    return members.length ? members.map(member => readValue(name, key, member)) : undefined;
  }
  if (isBlank(parameter)) return undefined;
  return readValue(name, key, parameter);
}

/** Strings and numbers pass unchecked: the SQL of the condition checks them. */
function readValue(
  name: string,
  { path, kind, values }: Pick<FilterKey, 'path' | 'kind' | 'values'>,
  parameter: Parameter,
): unknown {
  if (parameter === null || typeof parameter === 'object')
    throw badRequest(`The filter ${name} takes a single value${name.endsWith('in') ? ' or a list of them' : ''}.`);
  // A form turns a "+" that the client did not encode into a blank.
  const text = String(path.includes('phoneNumber') ? String(parameter).replace(/^ (?=\d)/, '+') : parameter).trim();
  if (kind === 'Timestamp') return parseTimestamp(text) ?? refuse(name, text, 'a point in time');
  if (kind === 'Boolean') return booleanTexts.get(text) ?? refuse(name, text, 'true or false');
  return !values || values.includes(text) ? text : refuse(name, text, values.join(', '));
}

function refuse(name: string, value: string, expected: string): never {
  throw badRequest(`The filter ${name} takes ${expected}, not ${quoted(value)}.`);
}

const isBlank = (parameter: Parameter) =>
  parameter === null || (typeof parameter === 'string' && parameter.trim() === '');

const isBlankOrEmpty = (parameter: Parameter) =>
  isBlank(parameter) || (Array.isArray(parameter) && parameter.every(isBlank));

const isMap = (parameter: Parameter): parameter is Parameters =>
  typeof parameter === 'object' &&
  parameter !== null &&
  !Array.isArray(parameter) &&
  Object.getPrototypeOf(parameter) === null;

const quoted = (value: string) => JSON.stringify(value.slice(0, 60).toWellFormed());

function setAt(filter: Filter, path: string[], condition: unknown): void {
  const [name, ...rest] = path as [string, ...string[]];
  if (!rest.length) filter[name] = condition;
  else {
    filter[name] ??= {};
    setAt(filter[name] as Filter, rest, condition);
  }
}
