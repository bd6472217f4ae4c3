import { type FormulaCallback } from '@mikro-orm/core';
import { Formula } from '@mikro-orm/decorators/legacy';

type ColumnType = 'text' | 'integer' | 'boolean' | 'timestamptz' | 'integer[]' | 'text[]';

/**
 * Declares a field that SQL computes from its own row. It has no column and is never loaded with an entity (lazy), but
 * can be selected and filtered. The expression is trusted source text; settings in it go through `quoteLiteral`.
 */
export const ComputedField =
  <Owner extends object>(expression: FormulaCallback<Owner>, type: ColumnType) =>
  (target: object, name: string): void =>
    Formula<Owner>(expression, {
      type,
      lazy: true,
      runtimeType: type === 'timestamptz' ? 'Date' : undefined,
      // The default, `component_id` for `componentId`, can be a column of the row, which would be loaded as this field.
      fieldName: `computed_${name}`,
    } as object)(target as Owner, name as string & keyof Owner);
