import 'reflect-metadata';
import { Field, ID, InterfaceType } from 'type-graphql';

@InterfaceType('Node', {
  description: 'A record with an id that no other record has, of whatever type: what Relay expects under this name.',
})
export abstract class Node {
  @Field(() => ID, {
    description:
      'The global id. It never changes. Its content has no meaning; `id` is what all arguments but `nodeId` take.',
  })
  readonly nodeId?: string;
}
