import { getVariableValues, type GraphQLSchema, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { badRequest } from '../../core/errors.js';
import type { Context } from '../../graphql/context.js';
import { executeOperation, type PreparedOperation, prepareOperation } from '../../graphql/fast-path.js';

/** The operations of the routes, each validated against the schema at start. */
export class StatuspageOperations {
  private readonly prepared: ReadonlyMap<string, PreparedOperation>;

  constructor(
    private readonly schema: GraphQLSchema,
    documents: readonly string[],
  ) {
    this.prepared = new Map(documents.map(document => [document, prepare(schema, document)]));
  }

  /** Returns the field `result`. */
  async run<Result>(document: string, variables: Record<string, unknown>, context: Context): Promise<Result> {
    const operation = this.prepared.get(document)!;
    const { variableDefinitions = [] } = operation.operation;
    const { coerced, errors } = getVariableValues(this.schema, variableDefinitions, variables, { maxErrors: 1 });
    // The reason stands after the variable, which the client does not know.
    if (!coerced) throw badRequest(errors[0]!.message.replace(/^.*?; /s, ''));
    const { fields } = await executeOperation(operation, coerced, context);
    return JSON.parse(fields.get('result')!) as Result;
  }
}

function prepare(schema: GraphQLSchema, text: string): PreparedOperation {
  const document = parse(text);
  const [problem] = validate(schema, document);
  if (problem) throw new Error(`An operation for Statuspage does not match the GraphQL schema: ${problem.message}`);
  const isOperation = (node: { kind: Kind }): node is OperationDefinitionNode =>
    node.kind === Kind.OPERATION_DEFINITION;
  return prepareOperation(schema, document, document.definitions.find(isOperation)!);
}
