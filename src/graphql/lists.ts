import { ArgsType, type ClassType, Field, InputType, Int, ObjectType } from 'type-graphql';
import type { Filter } from '../records/filter-sql.js';
import { enumeration } from './enum.js';

export const Direction = enumeration(
  'Direction',
  { asc: 'Least first.', desc: 'Greatest first.' },
  'The direction of an order; texts go by code point.',
);

@ObjectType({ description: 'Where a page of a list stands among the others.' })
export class Pagination {
  @Field(() => Int, { description: 'The number of this page, from 1.' })
  current!: number;

  @Field(() => Int, { nullable: true, description: 'Null on page 1.' })
  previous!: number | null;

  @Field(() => Int, { nullable: true, description: 'Null on the last page.' })
  next!: number | null;

  @Field(() => Int, { description: 'How many records a page holds.' })
  perPage!: number;

  @Field(() => Int, { description: 'How many pages there are; 0 when there is no record.' })
  pages!: number;

  @Field(() => Int, { description: 'How many records there are on all pages.' })
  count!: number;
}

@ObjectType({ description: 'For going on from here, as the Relay cursor connections do.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether records come after this cut.' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Whether this cut does not begin at the beginning.' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Null when the list is empty.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'What `after` takes to go on; null when the list is empty.' })
  endCursor!: string | null;
}

/** The list type of a record class. SQL fills it; nothing here runs. */
export function listOf<Record extends object>(node: ClassType<Record>): ClassType {
  @ObjectType(`${node.name}Edge`, { description: `A ${node.name} and its place in the list.` })
  class Edge {
    @Field(() => node, { description: 'The record itself.' })
    node!: Record;

    @Field(() => String, { description: 'What `after` takes to go on from here.' })
    cursor!: string;
  }

  @ObjectType(`${node.name}List`, { description: `A cut of a list of ${node.name} records.` })
  class List {
    @Field(() => [node], { description: 'The records of this cut, in order.' })
    nodes!: Record[];

    @Field(() => [Edge], { description: 'The same records, each with its cursor.' })
    edges!: Edge[];

    @Field(() => PageInfo, { description: 'Whether and how to go on by cursor.' })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: 'How many records this cut holds.' })
    count!: number;

    @Field(() => Int, { description: 'How many records there are in all; counted only when asked for.' })
    totalCount!: number;

    @Field(() => Pagination, {
      description: 'The same list by numbered pages; counts all. It says nothing of a list that is cut by `after`.',
    })
    pagination!: Pagination;
  }
  return List;
}

/** The arguments of a list of records that can be filtered by `filter` and ordered by the fields `by` and by the `moments`, which may be null. */
export function listArguments(
  record: ClassType,
  filter: ClassType,
  by: string[],
  moments: string[] = [],
): ClassType<ListArgs> {
  const meanings = Object.fromEntries([
    ...by.map(name => [name, `By \`${name}\`.`]),
    ...moments.map(name => [name, `By \`${name}\`; null is later than any.`]),
  ]);
  const fields = enumeration(`${record.name}OrderField`, meanings, `What ${record.name} records can be ordered by.`);

  @InputType(`${record.name}Order`, {
    description: 'One step of an order; later ones decide between equals of earlier ones.',
  })
  class Order {
    @Field(() => fields as never, { description: 'What to order by.' })
    field!: string;

    @Field(() => Direction as never, { defaultValue: 'asc', description: 'Which end stands first.' })
    direction!: 'asc' | 'desc';
  }

  @ArgsType()
  class Arguments implements ListArgs {
    @Field(() => filter, { nullable: true, description: 'Which records are meant; null and absent: all.' })
    filter?: Filter;

    @Field(() => [Order], { nullable: true, description: 'Without it the order of the class, as its list says.' })
    orderBy?: Order[];

    @Field(() => Int, {
      nullable: true,
      description: 'The page to show, from 1; with `perPage`, and neither with `first` nor with `after`.',
    })
    page?: number;

    @Field(() => Int, {
      nullable: true,
      description: 'How many records a page holds: 1 to 100, 25 when nothing is said.',
    })
    perPage?: number;

    @Field(() => Int, { nullable: true, description: 'How many records to show: 1 to 100. Not with `page`.' })
    first?: number;

    @Field(() => String, {
      nullable: true,
      description: 'Show what comes after this cursor; stands still when records are added before it.',
    })
    after?: string;
  }
  return Arguments;
}

export interface ListArgs {
  filter?: Filter;
  orderBy?: { field: string; direction: 'asc' | 'desc' }[];
  page?: number;
  perPage?: number;
  first?: number;
  after?: string;
}
