import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, ID, Info, ObjectType } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import { Shows } from '../graphql/field-decorators.js';
import { Page } from '../pages/page.entity.js';
import { Component } from './component.entity.js';
import type { Change } from './component.service.js';

/** The part of a payload by which a client that keeps records knows all that has moved. */
@ObjectType()
export abstract class Effect {
  constructor(protected readonly change: Change) {}

  @Shows(
    () => [Component],
    'The components that the record is or names, or named before, and those whose state or parent moved, as they are now.',
  )
  components(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.some(Component, this.change.componentIds, info);
  }

  @Shows(() => Page, 'Its page, as it is now.')
  page(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, this.change.pageId]], info);
  }
}

@ObjectType()
export abstract class DeletedEffect extends Effect {
  @Field(() => ID, { description: 'The id it had.' })
  get id(): number {
    return this.change.recordId;
  }
}
