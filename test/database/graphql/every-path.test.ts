import { beforeAll, expect, test } from '@jest/globals';
import { type GraphQLNamedType, getNamedType, isCompositeType, isEnumType, isRequiredArgument } from 'graphql';
import { type AccessRecords, createAccessRecords } from '../../support/access-records.js';
import { type Field, fieldsOf, operationOf, queries, scalarsOf } from '../../support/root-operations.js';
import { useService } from '../../support/service.js';

/** Reads every path of the schema on a page that has a record of each kind: no combination may be an internal error. */
const maxDepth = 4;
const selectionsPerRequest = 3;
const service = useService();
let records: AccessRecords;
beforeAll(async () => {
  records = await createAccessRecords(service);
});

const isConnection = ({ name }: GraphQLNamedType) => name.endsWith('Connection');

/** The selections of a type, one for each path below it: all leaves at its end. */
function selectionsOf(type: GraphQLNamedType, depth: number): string[] {
  // A CSV costs more than a query may below a list; their own tests read them.
  const scalars = scalarsOf(type).filter(({ name }) => !name.endsWith('Csv'));
  const leaves = ['__typename', ...scalars.map(callOf)].join(' ');
  if (depth === maxDepth) return [leaves];
  const below = fieldsOf(type).filter(field => isCompositeType(getNamedType(field.type)));
  return [leaves, ...below.flatMap(field => selectionsBelow(field, depth + 1).map(one => `${callOf(field)} ${one}`))];
}

function selectionsBelow({ type }: Field, depth: number): string[] {
  const named = getNamedType(type);
  if (!isConnection(named)) return selectionsOf(named, depth).map(one => `{ ${one} }`);
  const record = getNamedType(fieldsOf(named).find(({ name }) => name === 'nodes')!.type);
  return selectionsOf(record, depth).map(one => `{ totalCount edges { cursor node { ${one} } } }`);
}

const days: Record<string, string> = { firstDay: '2026-01-01', lastDay: '2026-01-02' };

/** A field with a value for what it requires, and a list with one record. */
function callOf({ name, type, args }: Field): string {
  const values = args.filter(isRequiredArgument).map(argument => {
    const named = getNamedType(argument.type);
    const day = days[argument.name];
    if (day) return `${argument.name}: "${day}"`;
    if (!isEnumType(named)) throw new Error(`The test has no value for ${argument.name} of ${name}`);
    return `${argument.name}: ${named.getValues()[0]!.name}`;
  });
  if (isConnection(getNamedType(type))) values.push('first: 1');
  if (name === 'history') values.push('days: 1');
  return values.length ? `${name}(${values.join(', ')})` : name;
}

function operationsOf(field: Field) {
  const type = getNamedType(field.type);
  if (!isCompositeType(type)) return [operationOf(field, records)];
  const size = isConnection(type) ? { first: 1 } : {};
  const selections = selectionsBelow(field, 1);
  const requests = Math.ceil(selections.length / selectionsPerRequest);
  return Array.from({ length: requests }, (_, index) => {
    const some = selections.slice(index * selectionsPerRequest, (index + 1) * selectionsPerRequest);
    return operationOf(field, records, some, size);
  });
}

test.each(queries.map(field => [field.name, field] as const))(
  'no path below %s is an internal error',
  async (_, field) => {
    for (const { query, variables } of operationsOf(field)) {
      const { errors = [] } = (await service.graphql(query, variables)).json;
      const expected = expect.stringMatching(/^(NOT_FOUND|PAYLOAD_TOO_LARGE)$/);
      for (const error of errors)
        expect({ query, error }).toMatchObject({ query, error: { extensions: { code: expected } } });
    }
  },
  120_000,
);
