import { type FormulaCallback } from '@mikro-orm/core';
import { Formula } from '@mikro-orm/decorators/legacy';

type ColumnType = 'text' | 'integer' | 'boolean' | 'timestamptz' | 'integer[]' | 'text[]' | 'float8';

/** Columns by the name of their property. */
type Columns<Entity> = Record<keyof Entity & string, string>;

/** An expression over a row and its parent's row. */
export interface ParentExpression {
  relation: string;
  compile(own: Record<string, string>, parent: Record<string, string>): string;
}

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

/** Declares a field that SQL computes from its own row and its parent's, which is not read again below the parent. */
export const ComputedWithParent =
  <Owner extends object, Parent extends object>(
    relation: keyof Owner & string,
    compile: (own: Columns<Owner>, parent: Columns<Parent>) => string,
    type: ColumnType,
  ) =>
  (target: object, name: string): void =>
    // `compileColumn` takes the expression from the metadata; the formula only marks that there is no column.
    Formula<Owner>(() => 'null', {
      type,
      lazy: true,
      fieldName: `computed_${name}`,
      parentExpression: { relation, compile },
    } as object)(target as Owner, name as string & keyof Owner);
