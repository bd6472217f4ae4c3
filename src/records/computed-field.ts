import { type FormulaCallback } from '@mikro-orm/core';
import { Formula } from '@mikro-orm/decorators/legacy';

type ColumnType = 'text' | 'integer' | 'boolean' | 'timestamptz' | 'integer[]';

/**
 * Declares a field that SQL computes from its own row. It has no column and is never loaded with an entity (lazy), but
 * can be selected and filtered. The expression is trusted source text; settings in it go through `quoteLiteral`.
 */
export const ComputedField = <Owner extends object>(expression: FormulaCallback<Owner>, type: ColumnType) =>
  Formula<Owner>(expression, { type, lazy: true, runtimeType: type === 'timestamptz' ? 'Date' : undefined } as object);
