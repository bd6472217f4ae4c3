import {
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type TypeNode,
  TypeInfo,
  typeFromAST,
  valueFromASTUntyped,
  validate,
  type VariableDefinitionNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type JsonSchema = Record<string, Json>;

/** A tool as the Model Context Protocol lists it, and the GraphQL operation that runs it. */
export interface Tool {
  name: string;
  description: string;
  document: string;
  isReadOnly: boolean;
  inputSchema: {
    type: 'object';
    properties: Record<string, JsonSchema>;
    required: string[];
    additionalProperties: false;
  };
}

/** Makes a tool of an operation: its name, its variables and their descriptions are those of the operation. */
export function buildTool(schema: GraphQLSchema, description: string, text: string): Tool {
  const document = parse(text);
  const errors = validate(schema, document);
  if (errors.length) throw new Error(`The operation of a tool is invalid: ${errors[0]!.message}`);
  const operation = document.definitions[0] as OperationDefinitionNode;
  const descriptions = describeVariables(schema, operation);
  const properties = (operation.variableDefinitions ?? []).map(definition => {
    const name = definition.variable.name.value;
    return [name, describeVariable(schema, definition, descriptions.get(name))] as const;
  });
  return {
    name: operation.name!.value,
    description,
    document: text,
    isReadOnly: operation.operation === OperationTypeNode.QUERY,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: (operation.variableDefinitions ?? [])
        .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
        .map(({ variable }) => variable.name.value),
      additionalProperties: false,
    },
  };
}

/** The descriptions of the arguments and input fields that the variables are passed to. */
function describeVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): Map<string, string> {
  const descriptions = new Map<string, string>();
  const typeInfo = new TypeInfo(schema);
  // An input field is not among what TypeInfo tells: it is looked up in the type of its object.
  const inputField: (string | null | undefined)[] = [];
  visit(
    operation,
    visitWithTypeInfo(typeInfo, {
      ObjectField: {
        enter: ({ name }) => {
          const parent = typeInfo.getParentInputType();
          const fields = parent && 'getFields' in parent ? parent.getFields() : {};
          inputField.push((fields as Record<string, { description?: string | null }>)[name.value]?.description);
        },
        leave: () => void inputField.pop(),
      },
      Variable: ({ name }) => {
        const description = inputField.length ? inputField.at(-1) : typeInfo.getArgument()?.description;
        if (description) descriptions.set(name.value, description);
      },
    }),
  );
  return descriptions;
}

function describeVariable(
  schema: GraphQLSchema,
  { type, defaultValue }: VariableDefinitionNode,
  description: string | undefined,
): JsonSchema {
  return {
    ...toJsonSchema(typeFromAST(schema, type as TypeNode) as GraphQLInputType),
    ...(description && { description }),
    ...(defaultValue && { default: valueFromASTUntyped(defaultValue) as Json }),
  };
}

const scalarTypes: Record<string, string> = { Int: 'integer', Float: 'number', Boolean: 'boolean' };

function toJsonSchema(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return toJsonSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: toJsonSchema(type.ofType) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  return { type: isSpecifiedScalarType(type) ? (scalarTypes[type.name] ?? 'string') : 'string' };
}
