import { Arg, ID, InputType, Int } from 'type-graphql';
import { NullableField } from '../graphql/nullable-field.js';
import { SubscriberFilter } from './subscriber.filter.js';

/** The subscribers that are changed. */
export const SubscribersArg = () =>
  Arg('filter', () => SubscriberFilter, {
    description:
      'Which subscribers: `{ id: { in: [1, 2] } }` for up to 1,000 of them, `{}` for all confirmed subscribers.',
  });

export const ExpectedCountArg = () =>
  Arg('expectedCount', () => Int, {
    description:
      'How many subscribers you expect the filter to match, such as `totalCount` of the list with the same filter. ' +
      'If it matches others in number, nothing is written, and the error is PRECONDITION_FAILED.',
  });

@InputType({ description: 'The components to add to the choices of subscribers, and to remove from them.' })
export class UpdateSubscribersInput {
  @NullableField(() => [ID], 'Components to be notified about as well; one that is in both lists is added.')
  addComponentIds?: string[] | null;

  @NullableField(
    () => [ID],
    'Components not to be notified about any more. Who has none left is notified only about notices without a ' +
      'component.',
  )
  removeComponentIds?: string[] | null;
}
