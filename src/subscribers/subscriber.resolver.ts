import { ObjectType } from 'type-graphql';
import { createRecordPayload } from '../pages/page-change.payload.js';
import { createRecordResolver } from '../pages/page-record.resolver.js';
import { Subscriber } from './subscriber.entity.js';
import { SubscriberFilter } from './subscriber.filter.js';
import { CreateSubscriberInput, UpdateSubscriberInput } from './subscriber.inputs.js';
import { createSubscriber, deleteSubscriber, updateSubscriber } from './subscriber.service.js';

@ObjectType({ description: 'The result of writing a subscriber.' })
class SubscriberPayload extends createRecordPayload(Subscriber, 'The subscriber after the change.') {}

export const SubscriberResolver = createRecordResolver(
  Subscriber,
  {
    access: 'recipients',
    one: 'One subscriber of a page.',
    list: 'The confirmed subscribers of a page, in order of creation.',
    filter: SubscriberFilter,
    orderBy: ['id', 'createdAt', 'updatedAt'],
  },
  {
    access: 'publisher',
    payload: SubscriberPayload,
    create: {
      description: 'Creates a subscriber, who must have consented.',
      input: CreateSubscriberInput,
      run: createSubscriber,
    },
    update: { description: 'Updates a subscriber.', input: UpdateSubscriberInput, run: updateSubscriber },
    delete: { description: 'Deletes a subscriber.', run: deleteSubscriber },
  },
);
