import { Field, ID, InputType, Int } from 'type-graphql';
import type { Filter } from '../records/filter-sql.js';
import { SubscriberFilter } from './subscriber.filter.js';

@InputType({ description: 'The subscribers that are changed.' })
export class SelectSubscribersInput {
  @Field(() => SubscriberFilter, {
    description:
      'Which subscribers: `{ id: { in: [1, 2] } }` for up to 1,000 of them, `{}` for all confirmed subscribers.',
  })
  filter!: Filter;

  @Field(() => Int, {
    description:
      'How many subscribers you expect the filter to match, such as `totalCount` of the list with the same filter. ' +
      'If it matches others in number, nothing is written, and the error is PRECONDITION_FAILED.',
  })
  expectedCount!: number;
}

@InputType({
  description: 'The subscribers that are changed, and the components to add to their choices and to remove from them.',
})
export class UpdateSubscribersInput extends SelectSubscribersInput {
  @Field(() => [ID], {
    nullable: true,
    description: 'Components to be notified about as well; one that is in both lists is added.',
  })
  addComponentIds?: string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description:
      'Components not to be notified about any more. Who has none left is notified only about notices without a ' +
      'component.',
  })
  removeComponentIds?: string[] | null;
}
