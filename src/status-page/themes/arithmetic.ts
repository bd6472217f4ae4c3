import { filters as standard } from 'liquidjs';
import { Decimal, toPrimitive } from './safe-values.js';

// biome-ignore lint/suspicious/noExplicitAny: a template may pass anything to a filter
type Filter = (this: any, ...operands: any[]) => unknown;

const operations = ['plus', 'minus', 'times', 'divided_by', 'modulo'] as const;
const decimalLiteral = /^-?\d*\.\d+$/;

const isDecimal = (operand: unknown): boolean =>
  operand instanceof Decimal ||
  (typeof operand === 'number' && !Number.isInteger(operand)) ||
  (typeof operand === 'string' && decimalLiteral.test(operand.trim()));

/**
 * Liquid's arithmetic: integers give integers (`7205 | divided_by: 60` is 120), decimals give decimals
 * (`divided_by: 60.0`, `times: 1.0`). JavaScript cannot tell 60.0 from 60, so the literal in the template decides.
 */
export const arithmeticFilters: Record<string, Filter> = Object.fromEntries(
  operations.map((name): [string, Filter] => [
    name,
    function (value, operand, ...rest) {
      const result = (standard[name] as Filter).call(
        this,
        toPrimitive(value),
        toPrimitive(operand),
        ...rest.map(toPrimitive),
      ) as number;
      const [operandToken] = this.token?.args ?? [];
      const isDecimalResult =
        isDecimal(value) || isDecimal(operand) || decimalLiteral.test(operandToken?.getText?.() ?? '');
      if (isDecimalResult) return new Decimal(result);
      return name === 'divided_by' ? Math.floor(result) : result;
    },
  ]),
);
