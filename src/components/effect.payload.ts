import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Info, ObjectType } from 'type-graphql';
import type { Context } from '../graphql/context.js';
import { Shows } from '../graphql/operations.js';
import { Page } from '../pages/page.entity.js';
import { Component } from './component.entity.js';
import type { Change } from './component.service.js';

/** The part of a payload by which a client that keeps records knows all that has moved. */
@ObjectType()
export abstract class Effect implements Change {
  readonly pageId: string;
  readonly componentIds: number[];

  constructor(change: Change) {
    this.pageId = change?.pageId;
    this.componentIds = change?.componentIds;
  }

  @Shows(() => [Component], 'The components that the record is or names, or named before, and those whose state or parent moved, as they are now.')
  components(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.some(Component, this.componentIds, info);
  }

  @Shows(() => Page, 'Its page, as it is now.')
  page(@Ctx() { read }: Context, @Info() info: GraphQLResolveInfo) {
    return read.one([[Page, this.pageId]], info);
  }
}
