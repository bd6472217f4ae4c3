import { type GraphQLInputObjectType, getNamedType, isInputObjectType, isListType } from 'graphql';
import type { Filter } from '../records/filter-sql.js';
import { badRequest } from '../core/errors.js';
import { parseTimestamp } from '../core/timestamp.js';
import { booleans } from './input.js';
import { snakeCase } from '../core/snake-case.js';
import type { Parameter, Parameters } from './request/parameters.js';

interface Key {
  /** `['components', 'name', 'cont']`. */
  path: string[];
  kind: string;
  list: boolean;
  /** The attribute of a record that it is compared with: `['Notice', 'id']`. */
  attribute: [record: string, name: string];
}

/** By names of the field: a browser widget asks so for the notices of some components, of those above them and of those below. */
const aliases: ReadonlyMap<string, string> = new Map([
  [
    'components_id_or_components_descendant_hierarchies_descendant_id_or_components_ancestor_hierarchies_ancestor_id_in',
    'for_components',
  ],
]);

/** A reader made once from a filter type: the Map of every legal key, `subject_cont` and `components_name_cont`, is the documentation too. */
export function filterReader(type: GraphQLInputObjectType): {
  keys: ReadonlyMap<string, Key>;
  read: (given: Parameter | undefined, ignored?: ReadonlySet<string>) => Filter | undefined;
} {
  // An attribute of the record itself stands before one of the same name through an association.
  const keys = new Map(keysOf(type, [], true).reverse());
  const read = (given: Parameter | undefined, ignored?: ReadonlySet<string>): Filter | undefined => {
    if (given === undefined || isNothing(given)) return undefined;
    if (!isMap(given)) throw badRequest('The parameter filter is a map: filter[<attribute>_<operator>]=<value>.');
    const filter: Filter = {};
    for (const [name, value] of Object.entries(given)) {
      if (ignored?.has(name) && isMap(value)) continue;
      const key = keys.get(aliases.get(name) ?? name);
      // Blank it is no condition, whatever its name: browser widgets in the field send every filter they know.
      if (!key && isNothing(value) && !/_(present|blank)$/.test(name)) continue;
      if (!key)
        throw badRequest(
          `There is no filter ${shown(name)} here. There are: ${[...keys.keys()].reverse().join(', ')}.`,
        );
      const read = condition(name, key, value);
      if (read !== undefined) put(filter, key.path, read);
    }
    return filter;
  };
  return { keys, read };
}

/** One level of association, as the contract has it. */
function keysOf(type: GraphQLInputObjectType, above: string[], associations: boolean): [string, Key][] {
  return Object.values(type.getFields()).flatMap(({ name, type: operators }): [string, Key][] => {
    const path = [...above, name];
    if (!isInputObjectType(operators)) {
      // What is no attribute names components.
      return [
        [
          path.map(snakeCase).join('_'),
          { path, kind: getNamedType(operators).name, list: isListType(operators), attribute: ['Component', 'id'] },
        ],
      ];
    }
    const attribute: Key['attribute'] = [type.name.replace(/Filter$/, ''), name];
    if (!('eq' in operators.getFields())) return associations ? keysOf(operators, path, false) : [];
    return Object.values(operators.getFields()).map(operator => {
      const place = [...path, operator.name];
      return [
        place.map(snakeCase).join('_'),
        { path: place, kind: getNamedType(operator.type).name, list: isListType(operator.type), attribute },
      ];
    });
  });
}

function condition(name: string, { path, kind, list }: Omit<Key, 'attribute'>, given: Parameter): unknown {
  const operator = path.at(-1);
  if (operator === 'present' || operator === 'blank')
    return isBlank(given) ? true : one(name, { path, kind: 'Boolean' }, given);
  if (list) {
    const members = (Array.isArray(given) ? given : [given]).filter(member => !isBlank(member));
    return members.length ? members.map(member => one(name, { path, kind }, member)) : undefined;
  }
  if (isBlank(given)) return undefined;
  return one(name, { path, kind }, given);
}

/** Texts, words of states, and numbers pass as they are: the conditions look at them. */
function one(name: string, { path, kind }: Pick<Key, 'path' | 'kind'>, given: Parameter): unknown {
  if (given === null || typeof given === 'object')
    throw badRequest(`The filter ${name} takes a single value${name.endsWith('in') ? ' or a list of them' : ''}.`);
  // A form makes a blank of the "+" that a client forgot to encode.
  const text = String(path.includes('phoneNumber') ? String(given).replace(/^ (?=\d)/, '+') : given).trim();
  if (kind === 'Timestamp') return parseTimestamp(text) ?? refuse(name, text, 'a point in time');
  if (kind === 'Boolean') return booleans.get(text) ?? refuse(name, text, 'true or false');
  return text;
}

function refuse(name: string, value: string, wanted: string): never {
  throw badRequest(`The filter ${name} takes ${wanted}, not ${shown(value)}.`);
}

const isBlank = (given: Parameter) => given === null || (typeof given === 'string' && given.trim() === '');

const isNothing = (given: Parameter) => isBlank(given) || (Array.isArray(given) && given.every(isBlank));

const isMap = (given: Parameter): given is Parameters =>
  typeof given === 'object' && given !== null && !Array.isArray(given) && Object.getPrototypeOf(given) === null;

const shown = (value: string) => JSON.stringify(value.slice(0, 60).toWellFormed());

function put(filter: Filter, path: string[], condition: unknown): void {
  const [name, ...rest] = path as [string, ...string[]];
  if (!rest.length) filter[name] = condition;
  else {
    filter[name] ??= {};
    put(filter[name] as Filter, rest, condition);
  }
}
