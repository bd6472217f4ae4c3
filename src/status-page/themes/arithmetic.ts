import { filters as standard } from 'liquidjs';
import { Decimal, plain } from './safe-values.js';

// biome-ignore lint/suspicious/noExplicitAny: a template hands anything to a filter
type Filter = (this: any, ...operands: any[]) => unknown;

const operations = ['plus', 'minus', 'times', 'divided_by', 'modulo'] as const;
const decimalLiteral = /^-?\d*\.\d+$/;

const isDecimal = (operand: unknown): boolean =>
  operand instanceof Decimal ||
  (typeof operand === 'number' && !Number.isInteger(operand)) ||
  (typeof operand === 'string' && decimalLiteral.test(operand.trim()));

/**
 * Of whole numbers Liquid makes whole ones (`7205 | divided_by: 60` is 120), and of others decimals: themes ask for these by `divided_by: 60.0` or `times: 1.0`. JavaScript
 * does not tell 60.0 from 60, so how it was written is looked at.
 */
export const arithmetic: Record<string, Filter> = Object.fromEntries(
  operations.map((name): [string, Filter] => [
    name,
    function (value, operand, ...rest) {
      const result = (standard[name] as Filter).call(this, plain(value), plain(operand), ...rest.map(plain)) as number;
      const [written] = this.token?.args ?? [];
      const asDecimal = isDecimal(value) || isDecimal(operand) || decimalLiteral.test(written?.getText?.() ?? '');
      if (asDecimal) return new Decimal(result);
      return name === 'divided_by' ? Math.floor(result) : result;
    },
  ]),
);
