import { getNamedType, type GraphQLArgument, type GraphQLInputType, isInputObjectType } from 'graphql';

/**
 * A condition is evaluated for each row of a list, also for those that it leaves out, and in turn for the records that
 * are associated with a row. A list counts as a thousand rows, and ten rows of work as a record of the response.
 */
export const filterCosts = { condition: 100, perAssociation: 10 } as const;

/** Estimates the work of the filter of a list, in records of a response. */
export function estimateFilter(parameters: readonly GraphQLArgument[], args: Record<string, unknown>): number {
  const filter = parameters.find(({ name }) => name === 'filter');
  return filter ? estimateConditions(filter.type, args.filter, filterCosts.condition) : 0;
}

/** Null conditions are ignored, as `compileFilter` does. */
function estimateConditions(type: GraphQLInputType, value: unknown, cost: number): number {
  if (value === null || value === undefined) return 0;
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return cost;
  if (Array.isArray(value)) return sum(value.map(one => estimateConditions(type, one, cost)));
  const fields = named.getFields();
  return sum(
    Object.entries(value).map(([name, condition]) => {
      const fieldType = fields[name]!.type;
      return estimateConditions(
        fieldType,
        condition,
        isAssociation(fieldType) ? cost * filterCosts.perAssociation : cost,
      );
    }),
  );
}

/** Whether an input type is the filter of associated records, and not the operators of a value. */
function isAssociation(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return isInputObjectType(named) && !('eq' in named.getFields());
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
