import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { isKeptAsInteger } from '../../records/integer-column.js';
import { inputFields } from '../input.js';
import { snakeCase } from '../../core/snake-case.js';
import { longestPage, type Prepared } from '../operation.js';
import { requests } from './examples.js';
import { described, nullable, type Schema, type Schemas } from './schemas.js';

type Input = GraphQLInputObjectType;

/** The same input in three writings. A form says null with a blank, and writes lists with brackets. */
export function requestBody({ operation, input, takesFile }: Prepared, schemas: Schemas): Schema | undefined {
  if (!input) return undefined;
  const { type } = input;
  const fields = inputFields(type);
  const examples = requests[operation.operation.name!.value] ?? {};
  const content = (name: string, fieldSchema: FieldSchema, write: (example: Schema) => Schema) => ({
    schema: schemas.named(name, () => inputSchema(type, operation.schema, schemas, fieldSchema)),
    examples: Object.fromEntries(
      Object.entries(examples).map(([title, example]) => [title, { value: write(example) }]),
    ),
  });
  const form = content(`${type.name}Form`, formField, formExample);
  const texts = takesFile
    ? {}
    : {
        'application/json': content(type.name, jsonField, example => example),
        'application/x-www-form-urlencoded': form,
      };
  return {
    required: fields.some(field => isNonNullType(field.type)),
    content: { ...texts, 'multipart/form-data': form },
  };
}

type FieldSchema = (name: string, type: GraphQLInputType, schemas: Schemas) => [key: string, schema: Schema];

function inputSchema(type: Input, graph: GraphQLSchema, schemas: Schemas, fieldSchema: FieldSchema): Schema {
  const record = graph.getType(type.name.replace(/^(Create|Update|Set)/, ''));
  const shown = isObjectType(record) || isInterfaceType(record) ? record.getFields() : {};
  const fields = inputFields(type).map(field => {
    const [key, schema] = fieldSchema(snakeCase(field.name), field.type, schemas);
    const description = field.description ?? shown[field.name]?.description;
    return {
      key,
      required: isNonNullType(field.type),
      schema: { ...schema, ...described(description, getNamedType(field.type)) },
    };
  });
  const required = fields.filter(one => one.required).map(({ key }) => key);
  return {
    type: 'object',
    ...described(type.description),
    ...(required.length && { required }),
    properties: Object.fromEntries(fields.map(({ key, schema }) => [key, schema])),
  };
}

/** "A scalar where a list is expected is a list of one", and a tag_list of a subscriber comes back as the text that it is read as. */
const jsonField: FieldSchema = (name, type, schemas) => {
  const leaf = schemas.leaf(getNamedType(type));
  const schema = isListType(getNullableType(type)) ? { type: ['array', leaf.type].flat(), items: leaf } : leaf;
  return [name, isNonNullType(type) ? schema : nullable(schema)];
};

const formField: FieldSchema = (name, type, schemas) => {
  const leaf = schemas.leaf(getNamedType(type));
  return isListType(getNullableType(type)) ? [`${name}[]`, { type: 'array', items: leaf }] : [name, leaf];
};

const formExample = (example: Schema): Schema =>
  Object.fromEntries(
    Object.entries(example)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [Array.isArray(value) ? `${name}[]` : name, value]),
  );

/** What stands in the query string of a read; include also in that of a write. */
export function queryParameters({ operation, includes, filters }: Prepared, schemas: Schemas): Schema[] {
  const types = new Map(
    operation.operation.variableDefinitions!.map(({ variable, type }) => [
      variable.name.value,
      'name' in type ? type.name.value : '',
    ]),
  );
  const parameters: Schema[] = [];
  if (includes.length)
    parameters.push({
      name: 'include',
      in: 'query',
      description: 'Related records to show too, by comma; a nested name implies the one that it is in.',
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: includes } },
    });
  for (const [name, { keys }] of Object.entries(filters))
    parameters.push({
      name: name.replace(/^filter_(.+)$/, 'filter[$1]'),
      in: 'query',
      description:
        name === 'filter'
          ? 'Which records are shown.'
          : `Which of the included ${name.slice('filter_'.length)} are shown.`,
      style: 'deepObject',
      explode: true,
      schema: schemas.named(types.get(name)!, () => filterSchema(keys, operation.schema, schemas)),
    });
  if (types.has('per_page')) parameters.push(...pagingParameters);
  return parameters;
}

const pagingParameters: Schema[] = [
  {
    name: 'page',
    in: 'query',
    description: 'Which page of the list, from 1.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  {
    name: 'per_page',
    in: 'query',
    description: `How many records a page holds: 25 when nothing is said, ${longestPage} at most, and more is ${longestPage}.`,
    schema: { type: 'integer', minimum: 1, default: 25 },
  },
];

/** What every operator means is said once, at the head of the document. */
function filterSchema(keys: Prepared['filters'][string]['keys'], graph: GraphQLSchema, schemas: Schemas): Schema {
  const properties: Record<string, Schema> = {};
  for (const [key, { kind, list, attribute }] of [...keys].reverse()) {
    const [record, name] = attribute;
    const { type, ...leaf } = schemas.leaf(graph.getType(kind)!);
    // A list of one is written as one; numbers and moments are read from several writings.
    const value =
      '$ref' in leaf
        ? leaf
        : { type: kind !== 'ID' ? type : isKeptAsInteger(schemas.database, [record], name) ? 'integer' : 'string' };
    properties[key] = list ? { type: 'array', items: value } : value;
  }
  return { type: 'object', properties };
}
