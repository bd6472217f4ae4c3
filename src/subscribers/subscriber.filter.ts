import { ID } from 'type-graphql';
import { ComponentFilter } from '../components/component.filter.js';
import { createFilterType } from '../graphql/filters.js';
import { Subscriber } from './subscriber.entity.js';

export const SubscriberFilter = createFilterType(Subscriber, {
  except: ['tagText', 'kinds', 'componentIds'],
  graphqlOnly: ['suspendedAt', 'suspensionReason'],
  more: {
    forComponent: { type: ID, description: 'Subscribers of that component, and of everything.' },
  },
  through: { components: ComponentFilter },
});
