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
import { inputFields } from '../input.js';
import { recordOfInput, toWireName } from '../wire-names.js';
import { maxPageSize, type PreparedRoute } from '../operation.js';
import { exampleRequests } from './examples.js';
import { descriptionFields, nullable, type Schema, type Schemas } from './schemas.js';

/** The input as JSON and as a form. A form writes null as a blank, and lists with brackets. */
export function describeRequestBody(
  { operation, input, takesFile }: PreparedRoute,
  schemas: Schemas,
): Schema | undefined {
  if (!input) return undefined;
  const { type } = input;
  const fields = inputFields(type);
  const examples = exampleRequests[operation.operation.name!.value] ?? {};
  const content = (name: string, describeField: FieldDescriber, toContentType: (example: Schema) => Schema) => ({
    schema: schemas.named(name, () => inputSchema(type, operation.schema, schemas, describeField)),
    examples: Object.fromEntries(
      Object.entries(examples).map(([title, example]) => [title, { value: toContentType(example) }]),
    ),
  });
  const name = type.name.replace(/(V1|Input)$/, '');
  const form = content(`${name}Form`, formField, formExample);
  const texts = takesFile
    ? {}
    : {
        'application/json': content(name, jsonField, example => example),
        'application/x-www-form-urlencoded': form,
      };
  return {
    required: fields.some(field => isNonNullType(field.type)),
    content: { ...texts, 'multipart/form-data': form },
  };
}

type FieldDescriber = (name: string, type: GraphQLInputType, schemas: Schemas) => [key: string, schema: Schema];

function inputSchema(
  type: GraphQLInputObjectType,
  schema: GraphQLSchema,
  schemas: Schemas,
  describeField: FieldDescriber,
): Schema {
  const record = schema.getType(recordOfInput(type.name));
  const recordFields = isObjectType(record) || isInterfaceType(record) ? record.getFields() : {};
  const fields = inputFields(type).map(field => {
    const [key, schema] = describeField(toWireName(field.name), field.type, schemas);
    const description = field.description ?? recordFields[field.name]?.description;
    return {
      key,
      required: isNonNullType(field.type),
      schema: { ...schema, ...descriptionFields(description, getNamedType(field.type)) },
    };
  });
  const required = fields.filter(field => field.required).map(({ key }) => key);
  return {
    type: 'object',
    ...descriptionFields(type.description),
    ...(required.length && { required }),
    properties: Object.fromEntries(fields.map(({ key, schema }) => [key, schema])),
  };
}

/** Accepts a scalar for a list, too: a subscriber's tag_list is read as one text, and may be sent back so. */
const jsonField: FieldDescriber = (name, type, schemas) => {
  const leaf = schemas.leaf(getNamedType(type));
  const schema = isListType(getNullableType(type)) ? { type: ['array', leaf.type].flat(), items: leaf } : leaf;
  return [name, isNonNullType(type) ? schema : nullable(schema)];
};

const formField: FieldDescriber = (name, type, schemas) => {
  const leaf = schemas.leaf(getNamedType(type));
  return isListType(getNullableType(type)) ? [`${name}[]`, { type: 'array', items: leaf }] : [name, leaf];
};

const formExample = (example: Schema): Schema =>
  Object.fromEntries(
    Object.entries(example)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [Array.isArray(value) ? `${name}[]` : name, value]),
  );

export function describeQueryParameters({ operation, includes, filters }: PreparedRoute, schemas: Schemas): Schema[] {
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
      description: 'Related records to add, separated by commas; a nested name includes its parent too.',
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
          ? 'Show only the records that match.'
          : `Include only the ${name.slice('filter_'.length)} that match.`,
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
    description: 'The page of the list, from 1.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  {
    name: 'per_page',
    in: 'query',
    description: `The number of records per page: 25 by default, at most ${maxPageSize}.`,
    schema: { type: 'integer', minimum: 1, default: 25 },
  },
];

/** The introduction explains the operators, so the keys have no descriptions. */
function filterSchema(keys: PreparedRoute['filters'][string]['keys'], schema: GraphQLSchema, schemas: Schemas): Schema {
  const properties: Record<string, Schema> = {};
  for (const [key, { kind, isList, attribute }] of [...keys].reverse()) {
    const [record, name] = attribute;
    const { type, ...leaf } = schemas.leaf(schema.getType(kind)!);
    // No format and no enum of integers: numbers and timestamps are read in several forms.
    const value = '$ref' in leaf ? leaf : { type: kind === 'ID' ? schemas.idType([record], name) : type };
    properties[key] = isList ? { type: 'array', items: value } : value;
  }
  return { type: 'object', properties };
}
