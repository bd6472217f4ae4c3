import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, ID, Info, ObjectType } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import { ReadField } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Component } from './component.entity.js';
import type { RecordChange } from './component.service.js';

/** What a write changed beside its own record, so that a client can update its cache without reading again. */
@ObjectType()
export abstract class ChangePayload {
  constructor(protected readonly change: RecordChange) {}

  @ReadField(
    () => [Component],
    'The affected components: the record, those that it names or named before, and those with a new state or parent.',
  )
  components(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.byIds(Component, this.change.componentIds, info);
  }

  @ReadField(() => Page, 'The page, after the change.')
  page(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, this.change.pageId]], info);
  }
}

@ObjectType()
export abstract class DeletionPayload extends ChangePayload {
  @Field(() => ID, { description: 'The id of the deleted record.' })
  get id(): number {
    return this.change.recordId;
  }
}
