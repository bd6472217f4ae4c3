import 'reflect-metadata';
import { ArgsType, type ClassType, Field, InputType, Int, ObjectType } from 'type-graphql';
import { NullableField } from './nullable-field.js';
import type { Filter } from '../records/filter-sql.js';
import { defaultListSize, type ListArguments } from '../records/list-arguments.js';
import { registerEnum } from './enum.js';

export const Direction = registerEnum(
  'Direction',
  { asc: 'Ascending.', desc: 'Descending.' },
  'The direction of an order. Text is ordered by code point.',
);

@ObjectType({ description: 'The position of a page within a list.' })
class Pagination {
  @Field(() => Int, { description: 'The number of this page, starting from 1.' })
  current!: number;

  @NullableField(() => Int, 'The number of the previous page; null on page 1.')
  previous!: number | null;

  @NullableField(() => Int, 'The number of the next page; null on the last page.')
  next!: number | null;

  @Field(() => Int, { description: 'The number of records per page.' })
  perPage!: number;

  @Field(() => Int, { description: 'The number of pages; 0 if the list is empty.' })
  pages!: number;

  @Field(() => Int, { description: 'The number of records on all pages.' })
  count!: number;
}

@ObjectType({ description: 'Where a slice of a list begins and ends, as in Relay cursor connections.' })
class PageInfo {
  @Field(() => Boolean, { description: 'Whether there are records after this slice.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether there are records before this slice.' })
  hasPreviousPage!: boolean;

  @NullableField(() => String, 'The cursor of the first record; null if the slice is empty.')
  startCursor!: string | null;

  @NullableField(() => String, 'The cursor of the last record, for `after`; null if the slice is empty.')
  endCursor!: string | null;
}

/** Creates the connection type of a record class, whose fields the SQL statement fills. For /v1 see `numberedPages`. */
export function createConnectionType<Record extends object>(node: ClassType<Record>): ClassType {
  @ObjectType(`${node.name}Edge`, { description: `An edge of a list: one ${node.name} record and its cursor.` })
  class Edge {
    @Field(() => node, { description: 'The record itself.' })
    node!: Record;

    @Field(() => String, { description: 'The cursor of this record, for `after` and `before`.' })
    cursor!: string;
  }

  @ObjectType(`${node.name}Connection`, { description: `A slice of a list of ${node.name} records.` })
  class Connection {
    @Field(() => [node], { description: 'The records of this slice, in order.' })
    nodes!: Record[];

    @Field(() => [Edge], { description: 'The records of this slice, each with its cursor.' })
    edges!: Edge[];

    @Field(() => PageInfo, { description: 'What you need to continue by cursor.' })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: 'The number of records in the whole list. It is counted only if you select it.' })
    totalCount!: number;

    @Field(() => Int, { description: 'The number of records in this slice.' })
    count!: number;

    @Field(() => Pagination, { description: 'The slice as a numbered page; it counts the whole list.' })
    pagination!: Pagination;
  }
  return Connection;
}

/** What only the schema of /v1 has: the types, the fields of connections and the arguments of numbered pages. */
export const numberedPages = {
  types: ['Pagination'],
  fields: ['count', 'pagination'],
  arguments: ['page', 'perPage'],
} as const;

/**
 * Creates the arguments of a list: the filter, the order by `fieldNames` or `nullableTimestamps`, and paging. Every
 * connection of the record's class takes them, also where it is a field of another record.
 */
export function createListArguments(
  record: ClassType,
  filter: ClassType,
  fieldNames: string[],
  nullableTimestamps: string[] = [],
): ClassType<ListArguments> {
  const descriptions = Object.fromEntries([
    ...fieldNames.map(name => [name, `By \`${name}\`.`]),
    ...nullableTimestamps.map(name => [name, `By \`${name}\`; null counts as later than any value.`]),
  ]);
  const fields = registerEnum(
    `${record.name}OrderField`,
    descriptions,
    `The fields that ${record.name} records can be ordered by.`,
  );

  @InputType(`${record.name}Order`, {
    description: 'One criterion of an order; later criteria order the records that are equal by earlier ones.',
  })
  class Order {
    @Field(() => fields as never, { description: 'The field to order by.' })
    field!: string;

    @Field(() => Direction as never, { defaultValue: 'asc', description: 'The direction of the order.' })
    direction!: 'asc' | 'desc';
  }

  @ArgsType()
  class Arguments implements ListArguments {
    @NullableField(() => filter, 'Selects records; without it, all.')
    filter?: Filter;

    @NullableField(() => [Order], 'The order of the list; the field describes its default order.')
    orderBy?: Order[];

    @NullableField(() => Int, sizeDescription('from the beginning'))
    first?: number;

    @NullableField(
      () => String,
      'Leaves out everything up to this cursor. Records added before it do not shift the slice.',
    )
    after?: string;

    @NullableField(() => Int, sizeDescription('from the end, in the order of the list'))
    last?: number;

    @NullableField(() => String, 'Leaves out everything from this cursor on.')
    before?: string;

    @NullableField(() => Int, 'The number of the page, starting from 1.')
    page?: number;

    @NullableField(() => Int, 'The number of records per page.')
    perPage?: number;
  }
  return Arguments;
}

const sizeDescription = (where: string) =>
  `The number of records ${where}: 1 to 100. Without \`first\` and \`last\`, the first ${defaultListSize}.`;
