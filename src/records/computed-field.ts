import { type FormulaCallback } from '@mikro-orm/core';
import { Formula } from '@mikro-orm/decorators/legacy';

type ColumnType = 'text' | 'integer' | 'boolean' | 'timestamptz' | 'integer[]';

/**
 * A field that SQL computes from its own row: no column, and never loaded with an entity (lazy), only written into answers and compared by filters.
 * The expression is trusted source text; what comes from settings goes through `literal`.
 */
export const Derived = <Owner extends object>(expression: FormulaCallback<Owner>, type: ColumnType) =>
  Formula<Owner>(expression, { type, lazy: true, runtimeType: type === 'timestamptz' ? 'Date' : undefined } as object);
